// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The same sources as ../SwiftRexShaped5, under strict concurrency.
let package = Package(
    name: "SwiftRexShaped6",
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
    swiftLanguageModes: [.v6]
)
