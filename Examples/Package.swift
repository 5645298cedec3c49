// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "millrace-examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "millrace", path: "..")],
    targets: [
        // The first example of the README, word for word (scripts/readme-check.sh compares them).
        .executableTarget(name: "Readme", dependencies: [.product(name: "Millrace", package: "millrace")])
    ],
    swiftLanguageModes: [.v6]
)
