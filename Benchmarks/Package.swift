// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that it is a client like any other: what is fast here was specialised across the module
// border.
let package = Package(
    name: "millrace-benchmarks",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "millrace-bench", targets: ["MillraceBench"])],
    dependencies: [
        .package(name: "millrace", path: ".."),
        .package(path: "Tools"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // Rivals.
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Replaces malloc and its kin by versions that can count.
        .target(name: "CMallocCount"),
        // Tells callgrind which part of the program to count.
        .target(name: "CCallgrind"),
        // Threads that wait between runs, start together, and are timed together.
        .target(name: "CBenchCrew", cSettings: [.define("_GNU_SOURCE")]),
        // The calls of the system that a journal makes, SQLite, and a buffered file.
        .target(
            name: "CDiskRivals",
            cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        // Queues in C++ and C behind C functions, with their loops.
        .target(
            name: "CxxRivals",
            linkerSettings: [.linkedLibrary("urcu-common")]
        ),
        // Locks in C, inlined into the loops of Swift.
        .target(name: "CLockRivals", cSettings: [.define("_GNU_SOURCE")]),
        // The design of another store, in a module of its own as that is.
        .target(name: "SwiftRexDesign"),
        // The model of the example: the folder is a link to that of Examples, so that there is one model.
        .target(
            name: "OrderBookModel",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceEffects", package: "millrace"),
                .product(name: "MillraceJournal", package: "millrace"),
            ]
        ),
        .executableTarget(
            name: "MillraceBench",
            dependencies: [
                "CBenchCrew", "CCallgrind", "CDiskRivals", "CMallocCount", "CxxRivals", "CLockRivals", "OrderBookModel",
                "SwiftRexDesign",
                .product(name: "CallgrindDumps", package: "Tools"),
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceLogging", package: "millrace"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MillraceCore", package: "millrace"),
                .product(name: "MillraceFeedback", package: "millrace"),
                .product(name: "MillraceGated", package: "millrace"),
                .product(name: "MillraceJournal", package: "millrace"),
                .product(name: "MillraceRecords", package: "millrace"),
                .product(name: "MillraceEffects", package: "millrace"),
                .product(name: "MillraceObservation", package: "millrace"),
                .product(name: "MillraceSubstates", package: "millrace"),
                .product(name: "MillraceTesting", package: "millrace"),
                .product(name: "MillraceInstrumentation", package: "millrace"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11,
    cxxLanguageStandard: .cxx17
)

for target in package.targets where target.type == .executable || target.name == "SwiftRexDesign" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
