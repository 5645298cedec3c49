// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The packages: each is resolved only if its trait is on.
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: .when(traits: ["JournalCommand"])
)
let coreMetrics = Target.Dependency.product(
    name: "CoreMetrics",
    package: "swift-metrics",
    condition: .when(traits: ["Metrics"])
)
let histogram = Target.Dependency.product(
    name: "Histogram",
    package: "hdrhistogram-swift",
    condition: .when(traits: ["Instrumentation"])
)
let logging = Target.Dependency.product(
    name: "Logging",
    package: "swift-log",
    condition: .when(traits: ["Logging"])
)
let serviceLifecycle = Target.Dependency.product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle",
    condition: .when(traits: ["Service"])
)
let openCombine = ["OpenCombine", "OpenCombineDispatch"].map { name in
    Target.Dependency.product(
        name: name,
        package: "OpenCombine",
        condition: .when(platforms: [.linux], traits: ["Combine"])
    )
}

let package = Package(
    name: "millrace",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MillraceCore", targets: ["MillraceCore"]),
        .library(name: "MillraceRuntime", targets: ["MillraceRuntime"]),
        .library(name: "Millrace", targets: ["Millrace"]),
        .library(name: "MillraceObservation", targets: ["MillraceObservation"]),
        .library(name: "MillraceEffects", targets: ["MillraceEffects"]),
        .library(name: "MillraceFeedback", targets: ["MillraceFeedback"]),
        .library(name: "MillraceGated", targets: ["MillraceGated"]),
        .library(name: "MillraceRecords", targets: ["MillraceRecords"]),
        .library(name: "MillraceSubstates", targets: ["MillraceSubstates"]),
        .library(name: "MillraceJournal", targets: ["MillraceJournal"]),
        .library(name: "MillraceJournalCommand", targets: ["MillraceJournalCommand"]),
        .library(name: "MillraceCombine", targets: ["MillraceCombine"]),
        .library(name: "MillraceLogging", targets: ["MillraceLogging"]),
        .library(name: "MillraceService", targets: ["MillraceService"]),
        .library(name: "MillraceMetrics", targets: ["MillraceMetrics"]),
        .library(name: "MillraceInstrumentation", targets: ["MillraceInstrumentation"]),
        .library(name: "MillraceTesting", targets: ["MillraceTesting"]),
        .library(name: "MillraceJournalTesting", targets: ["MillraceJournalTesting"]),
        .library(name: "MillraceCombineTesting", targets: ["MillraceCombineTesting"]),
        .executable(name: "millrace", targets: ["MillraceCLI"]),
    ],
    // A trait for each product that needs a package, named after the product. All are on unless a client chooses, and a
    // package is resolved only if its trait is on: with `traits: []` none is (scripts/consumer-test.sh).
    traits: [
        .default(enabledTraits: [
            "Combine", "CommandLine", "Instrumentation", "JournalCommand", "Logging", "Metrics", "Service",
        ]),
        .trait(name: "Combine", description: "MillraceCombine; where there is no Combine, resolves OpenCombine"),
        .trait(
            name: "CommandLine",
            description: "The command-line tool millrace; resolves swift-argument-parser",
            enabledTraits: ["Instrumentation", "JournalCommand", "Logging"]
        ),
        .trait(name: "Instrumentation", description: "MillraceInstrumentation; resolves hdrhistogram-swift"),
        .trait(name: "JournalCommand", description: "MillraceJournalCommand; resolves swift-argument-parser"),
        .trait(name: "Logging", description: "MillraceLogging; resolves swift-log"),
        .trait(name: "Metrics", description: "MillraceMetrics; resolves swift-metrics"),
        .trait(name: "Service", description: "MillraceService; resolves swift-service-lifecycle"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        // The C core: liburcu, and the queue, snapshot, doorbell and clock built on it.
        .systemLibrary(
            name: "CURCU",
            path: "CSources/CURCU",
            pkgConfig: "liburcu-bp",
            providers: [.apt(["liburcu-dev"]), .brew(["userspace-rcu"])]
        ),
        .target(
            name: "CMillrace",
            dependencies: ["CURCU"],
            path: "CSources/CMillrace",
            publicHeadersPath: "include",
            cSettings: [
                .define("_GNU_SOURCE"),
                .define("MILLRACE_INTERNAL_CHECKS", .when(configuration: .debug)),
            ],
            // Only C files use liburcu, so nothing is linked through the module map.
            linkerSettings: [.linkedLibrary("urcu-bp"), .linkedLibrary("urcu-common")]
        ),

        // The library.
        .target(name: "MillraceCore"),
        .target(name: "MillraceRuntime", dependencies: ["CMillrace"]),
        .target(name: "Millrace", dependencies: ["MillraceCore", "MillraceRuntime", "CMillrace"]),

        // The state on the main actor, for observers of the Observation module.
        .target(name: "MillraceObservation", dependencies: ["Millrace"]),

        // Middlewares that can be embedded without the store.
        .target(name: "MillraceEffects", dependencies: ["MillraceCore"]),
        .target(name: "MillraceGated", dependencies: ["MillraceCore"]),

        // Feedback loops: state machines whose states ask for effects.
        .target(
            name: "MillraceFeedback",
            dependencies: ["Millrace", "MillraceCore", "MillraceEffects", "MillraceObservation"]
        ),

        // Actions as records in files: codecs, frames, sessions. Without the store and its C core.
        .target(name: "CMillraceRecords", path: "CSources/CMillraceRecords", publicHeadersPath: "include"),
        .target(name: "MillraceRecords", dependencies: ["MillraceCore", "CMillraceRecords"]),

        // A store of substates that are registered while it runs: RxState's architecture on the store above.
        .target(name: "MillraceSubstates", dependencies: ["Millrace", "MillraceCore", "MillraceEffects"]),

        // Stores that survive a crash: segments, snapshots, recovery, work that is held until it is durable.
        .target(
            name: "CMillraceJournal",
            // Only for its faults in debug builds.
            dependencies: ["CMillrace"],
            path: "CSources/CMillraceJournal",
            publicHeadersPath: "include",
            cSettings: [
                .define("_GNU_SOURCE"),
                .define("MILLRACE_INTERNAL_CHECKS", .when(configuration: .debug)),
            ]
        ),
        .target(
            name: "MillraceJournal",
            dependencies: ["Millrace", "MillraceCore", "MillraceRecords", "CMillraceJournal"]
        ),

        // The commands that look into a journal, for any type of action.
        .target(
            name: "MillraceJournalCommand",
            dependencies: [
                "MillraceJournal", "MillraceRecords", "MillraceCore",
                argumentParser,
            ]
        ),

        // Actions and changes of state as lines of a log. Not of the store: an embedded middleware can be logged, too.
        .target(
            name: "MillraceLogging",
            dependencies: [
                "MillraceCore", "MillraceRuntime",
                logging,
            ]
        ),

        // The faces of publishers: Combine on Apple's systems, OpenCombine elsewhere.
        .target(
            name: "MillraceCombine",
            dependencies: [
                "Millrace", "MillraceCore", "MillraceEffects", "MillraceFeedback",
            ] + openCombine
        ),

        // Bridges to the server ecosystem: each has one package dependency, and none depends on the other.
        .target(
            name: "MillraceService",
            dependencies: [
                "Millrace",
                serviceLifecycle,
            ]
        ),
        .target(
            name: "MillraceMetrics",
            dependencies: [
                "Millrace", "MillraceCore", "MillraceJournal",
                // Its measurements are exported, too, unless its trait is off.
                .target(name: "MillraceInstrumentation", condition: .when(traits: ["Instrumentation"])),
                coreMetrics,
            ]
        ),

        // Time measured per stage and kind of action, and the flight recorder.
        .target(
            name: "MillraceInstrumentation",
            dependencies: [
                "Millrace", "MillraceCore", "MillraceRuntime",
                histogram,
            ]
        ),

        // Tests of apps and middlewares: a simulated world for stores.
        .target(
            name: "CTesting",
            path: "CSources/CTesting",
            publicHeadersPath: "include",
            cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .target(
            name: "MillraceTesting",
            dependencies: ["CTesting", "Millrace", "MillraceCore", "MillraceEffects", "MillraceRuntime"]
        ),

        // What is expected of publishers, for tests.
        .target(name: "MillraceCombineTesting", dependencies: ["MillraceTesting"] + openCombine),

        // A disk in memory whose power can be cut, for journals in simulated worlds.
        .target(
            name: "MillraceJournalTesting",
            dependencies: ["MillraceJournal", "MillraceTesting", "MillraceRecords", "MillraceCore"]
        ),

        // The command-line tool, and what reads compressed logs for it. Only the tool needs zlib and libzstd.
        .systemLibrary(
            name: "CZlib",
            path: "CSources/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "CZstd",
            path: "CSources/CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
        ),
        .target(
            name: "CDecompress",
            // The C core only for its faults in debug builds.
            dependencies: ["CZlib", "CZstd", "CMillrace"],
            path: "CSources/CDecompress",
            publicHeadersPath: "include",
            cSettings: [.define("MILLRACE_INTERNAL_CHECKS", .when(configuration: .debug))],
            linkerSettings: [.linkedLibrary("z"), .linkedLibrary("zstd")]
        ),
        .executableTarget(
            name: "MillraceCLI",
            dependencies: [
                "CDecompress",
                "Millrace", "MillraceRuntime", "MillraceEffects", "MillraceGated", "MillraceLogging",
                "MillraceInstrumentation", "MillraceJournal", "MillraceJournalCommand", "MillraceRecords",
                "MillraceCore",
                argumentParser,
            ]
        ),

        // Tests, one target a source target.
        .target(name: "TestSupport", dependencies: ["CMillraceStress"], path: "Tests/TestSupport"),
        .target(
            name: "EffectTestSupport",
            dependencies: ["MillraceEffects", "MillraceCore", "TestSupport"],
            path: "Tests/EffectTestSupport"
        ),
        .target(
            name: "SchedulerTestSupport",
            dependencies: ["MillraceCombine"] + openCombine,
            path: "Tests/SchedulerTestSupport"
        ),
        .target(
            name: "CMillraceStress",
            dependencies: ["CMillrace"],
            path: "Tests/CMillraceStress",
            publicHeadersPath: "include",
            cSettings: [.define("_GNU_SOURCE")]
        ),
        .testTarget(name: "CMillraceTests", dependencies: ["CMillrace", "CMillraceStress", "TestSupport"]),
        .testTarget(
            name: "MillraceRuntimeTests",
            dependencies: ["MillraceRuntime", "CMillrace", "CMillraceStress", "TestSupport"]
        ),
        .testTarget(name: "MillraceCoreTests", dependencies: ["MillraceCore", "TestSupport"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Millrace", "MillraceEffects", "MillraceCombine", "MillraceGated", "EffectTestSupport", "TestSupport",
            ]
        ),
        // What the documentation of SwiftRex shows, in an app's own words.
        .testTarget(
            name: "ReadmeTests",
            // With the modules that MillraceCombine re-exports: an incremental build does not see a change of those
            // otherwise.
            dependencies: ["MillraceCombine", "MillraceCore", "MillraceEffects", "Millrace", "TestSupport"]
        ),
        .testTarget(
            name: "MillraceTests",
            dependencies: [
                "Millrace", "MillraceRuntime", "CMillrace", "CMillraceStress", "SchedulerTestSupport", "TestSupport",
            ]
        ),
        // A checker of histories, and histories of stores.
        .testTarget(
            name: "LinearizabilityTests",
            dependencies: ["Millrace", "MillraceEffects", "MillraceCore", "SchedulerTestSupport", "TestSupport"]
        ),
        .testTarget(
            name: "MillraceObservationTests",
            dependencies: ["MillraceObservation", "Millrace", "TestSupport"]
        ),
        .testTarget(
            name: "MillraceEffectsTests",
            dependencies: [
                "MillraceEffects", "MillraceTesting", "Millrace", "MillraceCore", "EffectTestSupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "MillraceLoggingTests",
            dependencies: [
                "MillraceLogging", "MillraceSubstates", "MillraceTesting", "Millrace", "MillraceCore",
                "MillraceRuntime",
                "TestSupport",
                logging,
            ]
        ),
        .testTarget(
            name: "MillraceGatedTests",
            dependencies: ["MillraceGated", "MillraceEffects", "Millrace", "MillraceCore", "TestSupport"]
        ),
        .testTarget(
            name: "MillraceFeedbackTests",
            dependencies: [
                "MillraceFeedback", "MillraceTesting", "MillraceObservation", "MillraceEffects", "Millrace",
                "MillraceCore", "TestSupport",
            ]
        ),
        // Prints canonical hashes: the tests run it with other hash seeds.
        .executableTarget(name: "RecordsProbe", dependencies: ["MillraceRecords"], path: "Tests/RecordsProbe"),
        .testTarget(
            name: "MillraceRecordsTests",
            dependencies: ["MillraceRecords", "MillraceCore", "CMillraceRecords", "RecordsProbe", "TestSupport"],
            exclude: ["Golden"]
        ),
        // Measures the files of a journal below the public API: so it is not in the package of the benchmarks.
        .executableTarget(
            name: "journal-bench",
            dependencies: ["MillraceJournal", "MillraceRecords", "MillraceCore"],
            path: "Tests/JournalBench"
        ),
        .testTarget(
            name: "MillraceJournalTests",
            dependencies: [
                "MillraceJournalTesting", "MillraceTesting", "MillraceJournal", "Millrace", "MillraceEffects",
                "MillraceGated", "MillraceService", "MillraceRecords", "MillraceCore", "TestSupport",
                "JournalProbeModel", "JournalProbe", "CMillrace", "CMillraceStress",
            ],
            exclude: ["Fixtures"]
        ),
        // The program that the tests of the journal kill, and its state, which the tests compare.
        .target(name: "JournalProbeModel", dependencies: ["MillraceCore"], path: "Tests/JournalProbeModel"),
        .executableTarget(
            name: "JournalProbe",
            dependencies: [
                "JournalProbeModel", "MillraceJournal", "MillraceEffects", "Millrace", "MillraceRecords",
                "MillraceCore",
            ],
            path: "Tests/JournalProbe"
        ),
        .testTarget(
            name: "MillraceJournalCommandTests",
            dependencies: [
                "MillraceJournalCommand", "MillraceJournal", "MillraceRecords", "Millrace", "MillraceCore",
                "JournalVerifyProbe",
                argumentParser,
            ]
        ),
        // The program whose `verify` the tests run, because that begins a second process of itself.
        .executableTarget(
            name: "JournalVerifyProbe",
            dependencies: ["MillraceJournalCommand", "MillraceRecords", "MillraceCore", argumentParser],
            path: "Tests/JournalVerifyProbe"
        ),
        .testTarget(
            name: "MillraceSubstatesTests",
            dependencies: [
                "MillraceSubstates", "MillraceObservation", "MillraceTesting", "MillraceEffects", "Millrace",
                "MillraceCore",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "MillraceCombineTests",
            dependencies: [
                "MillraceCombine", "MillraceFeedback", "MillraceSubstates", "MillraceEffects", "Millrace",
                "MillraceCore",
                "SchedulerTestSupport",
                "TestSupport",
            ] + openCombine
        ),
        .executableTarget(
            name: "soak",
            dependencies: ["Millrace", "SchedulerTestSupport", "TestSupport"],
            path: "Tests/Soak"
        ),
        .executableTarget(
            name: "simulate",
            dependencies: [
                "MillraceJournalTesting", "MillraceTesting", "MillraceJournal", "MillraceRecords", "MillraceEffects",
                "MillraceGated", "Millrace", "MillraceCore",
            ],
            path: "Tests/Simulate"
        ),
        .testTarget(
            name: "MillraceTestingTests",
            dependencies: [
                "MillraceTesting", "MillraceRecords", "MillraceEffects", "MillraceGated", "Millrace", "MillraceCore",
                "TestSupport",
            ],
            exclude: ["Recorded/recordedCart.mrs"]
        ),
        .testTarget(
            name: "MillraceCombineTestingTests",
            dependencies: ["MillraceCombineTesting", "MillraceTesting", "MillraceCombine"] + openCombine
        ),
        .testTarget(
            name: "MillraceServiceTests",
            dependencies: [
                "MillraceService", "MillraceJournal", "MillraceRecords", "Millrace", "TestSupport",
                serviceLifecycle,
                logging,
            ]
        ),
        .testTarget(
            name: "MillraceMetricsTests",
            dependencies: [
                "MillraceMetrics", "MillraceInstrumentation", "MillraceJournal", "MillraceRecords", "Millrace",
                "TestSupport",
                coreMetrics,
            ]
        ),
        .testTarget(
            name: "MillraceInstrumentationTests",
            dependencies: [
                "MillraceInstrumentation", "MillraceEffects", "Millrace", "MillraceCore", "MillraceRuntime",
                "CMillraceStress", "TestSupport",
                histogram,
            ]
        ),
        .testTarget(
            name: "MillraceCLITests",
            dependencies: ["MillraceCLI", "CMillraceStress", "TestSupport", argumentParser]
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),  // SE-0335
            .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
            .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
        ]
}
