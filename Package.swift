// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "millrace",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MillraceCore", targets: ["MillraceCore"]),
        .library(name: "MillraceRuntime", targets: ["MillraceRuntime"]),
        .library(name: "Millrace", targets: ["Millrace"]),
        .library(name: "MillraceObservation", targets: ["MillraceObservation"]),
        .library(name: "MillraceEffects", targets: ["MillraceEffects"]),
        .library(name: "MillraceGated", targets: ["MillraceGated"]),
        .library(name: "MillraceCombine", targets: ["MillraceCombine"]),
        .library(name: "MillraceLogging", targets: ["MillraceLogging"]),
        .library(name: "MillraceService", targets: ["MillraceService"]),
        .library(name: "MillraceMetrics", targets: ["MillraceMetrics"]),
        .library(name: "MillraceInstrumentation", targets: ["MillraceInstrumentation"]),
        .executable(name: "millrace", targets: ["MillraceCLI"]),
    ],
    dependencies: [
        // A client resolves all of these, and compiles those of the products it uses: none for `Millrace`,
        // `MillraceCore`, `MillraceEffects` and `MillraceGated` (scripts/consumer-test.sh).
        // The command-line tool.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // `MillraceService`.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        // `MillraceMetrics`, and `MillraceInstrumentation`.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        // `MillraceInstrumentation`.
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        // `MillraceCombine`, where there is no Combine.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        // `MillraceLogging`, and the tests of `MillraceService`, which name the logger of a service group.
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

        // Actions and changes of state as lines of a log. Not of the store: an embedded middleware can be logged, too.
        .target(
            name: "MillraceLogging",
            dependencies: [
                "MillraceCore", "MillraceRuntime",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),

        // The faces of publishers: Combine on Apple's systems, OpenCombine elsewhere.
        .target(
            name: "MillraceCombine",
            dependencies: [
                "Millrace", "MillraceCore", "MillraceEffects",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux])),
                .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: .when(platforms: [.linux])),
            ]
        ),

        // Bridges to the server ecosystem: each has one package dependency, and none depends on another.
        .target(
            name: "MillraceService",
            dependencies: [
                "Millrace",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "MillraceMetrics",
            dependencies: [
                "Millrace",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]
        ),

        // Time measured per stage and kind of action, and the flight recorder.
        .target(
            name: "MillraceInstrumentation",
            dependencies: [
                "Millrace", "MillraceCore", "MillraceRuntime",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]
        ),

        // The command-line tool.
        .executableTarget(
            name: "MillraceCLI",
            dependencies: [
                "Millrace", "MillraceRuntime", "MillraceEffects", "MillraceGated", "MillraceLogging",
                "MillraceInstrumentation",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // Tests, one target a source target.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(
            name: "EffectTestSupport",
            dependencies: ["MillraceEffects", "MillraceCore", "TestSupport"],
            path: "Tests/EffectTestSupport"
        ),
        .target(
            name: "CMillraceStress",
            dependencies: ["CMillrace"],
            path: "Tests/CMillraceStress",
            publicHeadersPath: "include",
            cSettings: [.define("_GNU_SOURCE")]
        ),
        .testTarget(name: "CMillraceTests", dependencies: ["CMillrace", "CMillraceStress", "TestSupport"]),
        .testTarget(name: "MillraceRuntimeTests", dependencies: ["MillraceRuntime", "CMillrace", "TestSupport"]),
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
            // With the modules that MillraceCombine re-exports: an incremental build does not see a change of those otherwise.
            dependencies: ["MillraceCombine", "MillraceCore", "MillraceEffects", "Millrace", "TestSupport"]
        ),
        .testTarget(name: "MillraceTests", dependencies: ["Millrace", "MillraceRuntime", "TestSupport"]),
        .testTarget(
            name: "MillraceObservationTests",
            dependencies: ["MillraceObservation", "Millrace", "TestSupport"]
        ),
        .testTarget(
            name: "MillraceEffectsTests",
            dependencies: ["MillraceEffects", "Millrace", "MillraceCore", "EffectTestSupport", "TestSupport"]
        ),
        .testTarget(
            name: "MillraceLoggingTests",
            dependencies: [
                "MillraceLogging", "Millrace", "MillraceCore", "MillraceRuntime", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "MillraceGatedTests",
            dependencies: ["MillraceGated", "MillraceEffects", "Millrace", "MillraceCore", "TestSupport"]
        ),
        .testTarget(
            name: "MillraceCombineTests",
            dependencies: [
                "MillraceCombine", "MillraceEffects", "Millrace", "MillraceCore", "TestSupport",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux])),
                .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: .when(platforms: [.linux])),
            ]
        ),
        .testTarget(
            name: "MillraceServiceTests",
            dependencies: [
                "MillraceService", "Millrace", "TestSupport",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "MillraceMetricsTests",
            dependencies: [
                "MillraceMetrics", "Millrace", "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "MillraceInstrumentationTests",
            dependencies: [
                "MillraceInstrumentation", "MillraceEffects", "Millrace", "MillraceCore", "MillraceRuntime",
                "TestSupport",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "MillraceCLITests",
            dependencies: ["MillraceCLI", .product(name: "ArgumentParser", package: "swift-argument-parser")]
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
