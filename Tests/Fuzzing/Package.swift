// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

func millrace(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "millrace") }
}

// The readers of journals are 'package'. So these targets are compiled as a part of the root package, whose name the
// compiler takes from its folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last ?? ""
let rootName = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
let settings: [SwiftSetting] = [.unsafeFlags(["-package-name", rootName]), .define("CommandLine")]

// Built by scripts/fuzz.sh, with the sanitizers 'fuzzer' and 'address'. A plain build has no 'main'.
let package = Package(
    name: "millrace-fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "millrace", path: "../..", traits: ["CommandLine"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // The sources of the tool, through links, because an executable is no dependency. No target may have the name of
        // one of the root package.
        .target(
            name: "Decompress",
            path: "Sources/Decompress",
            publicHeadersPath: "include",
            cSettings: [.headerSearchPath(".")],  // millrace_fault.h, a link
            linkerSettings: [.linkedLibrary("z"), .linkedLibrary("zstd")]
        ),
        .target(
            name: "MillraceTool",
            dependencies: ["Decompress", .product(name: "ArgumentParser", package: "swift-argument-parser")]
                + millrace(
                    "Millrace",
                    "MillraceCore",
                    "MillraceRuntime",
                    "MillraceEffects",
                    "MillraceGated",
                    "MillraceInstrumentation",
                    "MillraceLogging",
                    "MillraceJournal",
                    "MillraceJournalCommand",
                    "MillraceRecords"
                ),
            path: "Sources/MillraceTool",
            exclude: ["Tool/Command/MillraceCommand.swift"],
            packageAccess: false,
            swiftSettings: settings
        ),
        // The targets of the fuzzer.
        .executableTarget(
            name: "fuzz",
            dependencies: ["MillraceTool"] + millrace("MillraceTesting", "MillraceJournalCommand"),
            path: "Sources/Fuzz",
            packageAccess: false,
            swiftSettings: settings
        ),
    ]
)
