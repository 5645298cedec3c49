// SPDX-License-Identifier: Apache-2.0

/// The place where an action was dispatched.
package struct Source: Sendable {
    package let file: String
    package let function: String
    package let line: UInt
    package let info: String?
}

/// An action and its source.
package struct Dispatched<Action> {
    package let action: Action
    package let source: Source
}

extension Dispatched: Sendable where Action: Sendable {}

/// The output that actions are dispatched to: a closure.
package struct Handler<Action> {
    let dispatch: (Dispatched<Action>) -> Void
}

/// What a middleware returns, to run after the reducers. It is a closure even if there is nothing to do.
package struct IO<Action> {
    let run: (Handler<Action>) -> Void

    package init(_ run: @escaping (Handler<Action>) -> Void) {
        self.run = run
    }

    package static func pure() -> IO { IO { _ in } }

    static func composed(_ first: IO, _ second: IO) -> IO {
        IO { output in
            first.run(output)
            second.run(output)
        }
    }
}
