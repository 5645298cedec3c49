// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let feedback: [Target.Dependency] = [
    "FeedbackExamples", .product(name: "MillraceFeedback", package: "millrace"),
]

let package = Package(
    name: "millrace-examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "millrace", path: ".."),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
    ],
    targets: [
        // The first example of the README, word for word (scripts/readme-check.sh compares them).
        .executableTarget(name: "Readme", dependencies: [.product(name: "Millrace", package: "millrace")]),
        // The code of the articles, block by block (scripts/readme-check.sh compares them).
        .executableTarget(name: "ChoosingAnEngine", dependencies: [.product(name: "Millrace", package: "millrace")]),
        .executableTarget(name: "OrderOfActions", dependencies: [.product(name: "Millrace", package: "millrace")]),
        .executableTarget(name: "BridgingReactive", dependencies: [.product(name: "Millrace", package: "millrace")]),
        .executableTarget(name: "Dependencies", dependencies: [.product(name: "Millrace", package: "millrace")]),
        .executableTarget(name: "WritingAMiddleware", dependencies: [.product(name: "Millrace", package: "millrace")]),
        .executableTarget(
            name: "Observing",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceObservation", package: "millrace"),
            ]
        ),
        .executableTarget(
            name: "LoggingActions",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceLogging", package: "millrace"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .executableTarget(
            name: "Gated",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceGated", package: "millrace"),
            ]
        ),
        // Feedback loops: their machines and their server in a library, for the programs and the tests.
        .target(
            name: "FeedbackExamples",
            dependencies: [
                .product(name: "MillraceFeedback", package: "millrace"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]
        ),
        .executableTarget(name: "Feedback", dependencies: [.product(name: "MillraceFeedback", package: "millrace")]),
        .executableTarget(name: "FeedbackCounter", dependencies: feedback),
        .executableTarget(name: "FeedbackList", dependencies: feedback),
        .executableTarget(name: "FeedbackSignIn", dependencies: feedback),
        .executableTarget(name: "FeedbackTrafficLight", dependencies: feedback),
        .testTarget(
            name: "FeedbackExamplesTests",
            dependencies: feedback + [.product(name: "MillraceTesting", package: "millrace")]
        ),
        .executableTarget(
            name: "Recording",
            dependencies: [.product(name: "MillraceRecords", package: "millrace")]
        ),
        .executableTarget(
            name: "Surviving",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceEffects", package: "millrace"),
                .product(name: "MillraceJournal", package: "millrace"),
            ]
        ),
        .executableTarget(
            name: "JournalTool",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceJournal", package: "millrace"),
                .product(name: "MillraceJournalCommand", package: "millrace"),
            ]
        ),
        .executableTarget(
            name: "Effects",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceEffects", package: "millrace"),
            ]
        ),
        // A middleware for any app, as a package of its own would have it.
        .executableTarget(
            name: "Plugins",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceGated", package: "millrace"),
                .product(name: "MillraceCore", package: "millrace"),
            ]
        ),
        .executableTarget(
            name: "Measuring",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceInstrumentation", package: "millrace"),
            ]
        ),
        .executableTarget(
            name: "Outputs",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceInstrumentation", package: "millrace"),
            ]
        ),
        .executableTarget(name: "Scaling", dependencies: [.product(name: "Millrace", package: "millrace")]),
        // A large state that is published at every action, in an array and in a persistent dictionary.
        .executableTarget(
            name: "LargeStates",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "HashTreeCollections", package: "swift-collections"),
            ]
        ),
        // As an app written for SwiftRex has it: a subject, the main queue, a projection.
        .executableTarget(
            name: "Counter",
            dependencies: [.product(name: "Millrace", package: "millrace")],
            exclude: ["README.md"]
        ),
        // A store in a service group: bounded, drained at SIGTERM, its metrics printed.
        .executableTarget(
            name: "Service",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceService", package: "millrace"),
                .product(name: "MillraceMetrics", package: "millrace"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // A list of tasks whose substates are registered while the store runs: the app, its program, its tests.
        .target(name: "TasksApp", dependencies: [.product(name: "MillraceSubstates", package: "millrace")]),
        .executableTarget(name: "Tasks", dependencies: ["TasksApp"]),
        .testTarget(
            name: "TasksAppTests",
            dependencies: [
                "TasksApp",
                .product(name: "MillraceSubstates", package: "millrace"),
                .product(name: "MillraceTesting", package: "millrace"),
            ]
        ),
        // Limit order books: a store with a journal that survives a kill, a risk guard, an audit trail (docs/order-book.md).
        .target(
            name: "OrderBookModel",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceEffects", package: "millrace"),
                .product(name: "MillraceJournal", package: "millrace"),
            ]
        ),
        .executableTarget(
            name: "OrderBook",
            dependencies: [
                "OrderBookModel",
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceJournal", package: "millrace"),
                .product(name: "MillraceRecords", package: "millrace"),
            ]
        ),
        .testTarget(
            name: "OrderBookTests",
            dependencies: [
                "OrderBookModel", "OrderBook",
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceJournal", package: "millrace"),
                .product(name: "MillraceRecords", package: "millrace"),
                .product(name: "MillraceTesting", package: "millrace"),
            ],
            exclude: ["Fixtures"]
        ),
        // Search as you type against an HTTP server: effects that are cancelled by token, and a view model.
        .executableTarget(
            name: "MovieBrowser",
            dependencies: [
                .product(name: "Millrace", package: "millrace"),
                .product(name: "MillraceCombine", package: "millrace"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            exclude: ["README.md"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
