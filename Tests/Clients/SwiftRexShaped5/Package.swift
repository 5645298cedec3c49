// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "SwiftRexShaped5",
    platforms: [.macOS("15.0")],
    dependencies: [.package(name: "millrace", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceCombine", package: "millrace"),
            ]
        )
    ],
    swiftLanguageVersions: [.v5]
)
