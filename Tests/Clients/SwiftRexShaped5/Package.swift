// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "SwiftRexShaped5",
    platforms: [.macOS("15.0")],
    dependencies: [
        .package(name: "millrace", path: "../../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceCombine", package: "millrace"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ]
        )
    ],
    swiftLanguageVersions: [.v5]
)
