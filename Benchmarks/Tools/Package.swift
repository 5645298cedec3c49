// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own: the picture is made, and what reads files is tested, in seconds, without a build of what was
// measured.
let package = Package(
    name: "millrace-bench-tools",
    products: [.library(name: "CallgrindDumps", targets: ["CallgrindDumps"])],
    targets: [
        // Reads the files that callgrind writes, for the counts of the benchmarks.
        .target(name: "CallgrindDumps"),
        .testTarget(name: "CallgrindDumpsTests", dependencies: ["CallgrindDumps"]),
        .target(name: "Plot"),
        .executableTarget(name: "bench-plot", dependencies: ["Plot"]),
        .testTarget(name: "PlotTests", dependencies: ["Plot"]),
    ],
    swiftLanguageModes: [.v6]
)
