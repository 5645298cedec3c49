// SPDX-License-Identifier: Apache-2.0

/// A plot of the section `cliffs`: how the cost of up to three operations depends on one size.
struct CliffPanel {
    /// How the sizes are shown below the plot.
    enum Sizes {
        case numbers
        case bytes
        /// These words in place of the sizes, at equal distances.
        case words([String])
    }

    struct Curve {
        /// The name in the key; empty if the heading says it.
        let name: String
        /// The beginning of the names of its rows, which end with ": " and the size.
        let row: String
    }

    let heading: String
    let sizes: Sizes
    let curves: [Curve]

    private init(_ heading: String, _ sizes: Sizes = .numbers, _ curves: (name: String, row: String)...) {
        self.heading = heading
        self.sizes = sizes
        self.curves = curves.map { Curve(name: $0.name, row: $0.row) }
    }

    /// All plots, in the order of the picture.
    static let all = actions + states + lifts + elements + others

    private static let actions = [
        CliffPanel("Bytes of an action", .bytes, ("", "an action of so many bytes")),
        CliffPanel(
            "An action holds",
            .words(["Int", "String: 10", "40", "array", "class"]),
            ("", "an action that holds")
        ),
        CliffPanel(
            "Middlewares",
            .numbers,
            ("composed by <>", "an action through so many middlewares, composed by <>"),
            ("erased", "an action through so many middlewares, erased")
        ),
        CliffPanel(
            "Subscribers, every action published",
            .numbers,
            ("", "an action, published to so many subscribers")
        ),
        CliffPanel("Producer threads on two cores", .numbers, ("", "an action from so many producer threads")),
    ]

    private static let states = [
        CliffPanel(
            "Bytes of the state",
            .bytes,
            ("in place", "an action, state of so many bytes, in place"),
            ("the array copied: every action published", "an action, state of so many bytes, every action published")
        ),
        CliffPanel(
            "Strings in the state, one changed",
            .numbers,
            ("[String]", "one string of so many changed, [String], every action published"),
            ("[Int: String]", "one string of so many changed, [Int: String], every action published"),
            ("TreeDictionary", "one string of so many changed, TreeDictionary, every action published")
        ),
    ]

    private static let lifts = [
        CliffPanel(
            "Lifts of a reducer, one in the other",
            .numbers,
            ("key paths of its types", "an action, a reducer lifted so deep"),
            ("by a generic function", "an action, a reducer lifted so deep by a generic function")
        ),
        CliffPanel(
            "Lifts of a middleware, one in the other",
            .numbers,
            ("by closures", "an action, a middleware lifted so deep"),
            ("to optional parts", "an action, a middleware lifted to optional parts so deep")
        ),
    ]

    /// A middleware that reads its part, by the kind of its lift.
    private static let elements = [
        ("a key path", "Elements of a part, lifted by a key path"), ("a closure", "Lifted by a closure"),
        ("its id", "Lifted by an id"), ("its index", "Lifted by an index"), ("its key", "Lifted by a key"),
        ("an optional", "Lifted by an optional"), ("a case", "Lifted by a case"),
        ("a closure that computes a copy", "Lifted by a closure that copies"),
    ].map { kind, heading in
        func row(_ middlewares: String) -> String {
            "lifted by \(kind), \(middlewares), for each: elements of the part"
        }
        return CliffPanel(
            heading,
            .numbers,
            ("1 middleware", row("1 middleware")),
            ("3, for each of them", row("3 middlewares")),
            ("8, for each of them", row("8 middlewares"))
        )
    }

    private static let others = [
        CliffPanel(
            "Supervised keys",
            .numbers,
            ("one is added", "supervised keys, one added"),
            ("none changes", "supervised keys, none changed")
        ),
        CliffPanel("Effects in flight, cancel(where:)", .numbers, ("", "cancel(where:), in flight")),
        CliffPanel("Senders that wait, one cancelled", .numbers, ("", "suspended senders, one cancelled")),
        CliffPanel("Elements of an [Int], diff of one change", .numbers, ("", "recursive diff, one change in [Int]")),
        CliffPanel(
            "Subscribers, one leaves",
            .numbers,
            ("statePublisher", "statePublisher, one of so many leaves"),
            ("native subject", "native subject, one of so many leaves")
        ),
        CliffPanel("Selections of a store, one more", .numbers, ("", "ObservableStore.select, after so many")),
        CliffPanel(
            "Plugins",
            .numbers,
            ("an action, for each of them", "plugins, an action, each of so many"),
            ("one is installed", "plugins, installing one after so many")
        ),
        CliffPanel(
            "Named middlewares, for each of them",
            .numbers,
            ("erased one by one", "named middlewares erased one by one, an action, each of so many"),
            ("in a ComposedMiddleware", "named middlewares in a ComposedMiddleware, an action, each of so many")
        ),
        CliffPanel("millrace run, minutes with an alert", .numbers, ("", "millrace run --alert 0, minutes")),
    ]
}
