// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that it is a client like any other: what is fast here was specialised across the module border.
let package = Package(
    name: "millrace-benchmarks",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "millrace-bench", targets: ["MillraceBench"])],
    dependencies: [
        .package(name: "millrace", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
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
        // moodycamel::ConcurrentQueue behind C functions, its loops in C++.
        .target(name: "CxxRivals"),
        // The design of another store, in a module of its own as that is.
        .target(name: "SwiftRexDesign"),
        .executableTarget(
            name: "MillraceBench",
            dependencies: [
                "CBenchCrew", "CCallgrind", "CDiskRivals", "CMallocCount", "CxxRivals", "SwiftRexDesign",
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
