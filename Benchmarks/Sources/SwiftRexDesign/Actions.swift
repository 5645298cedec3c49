// SPDX-License-Identifier: Apache-2.0

/// Where an action was dispatched.
public struct Source: Sendable {
    public let file: String
    public let function: String
    public let line: UInt
    public let info: String?
}

/// An action and its source.
public struct Dispatched<Action> {
    public let action: Action
    public let source: Source
}

extension Dispatched: Sendable where Action: Sendable {}

/// What actions are given to: a closure.
public struct Handler<Action> {
    let dispatch: (Dispatched<Action>) -> Void
}

/// What is to be done after the reducers: a closure, also when it is nothing.
public struct IO<Action> {
    let run: (Handler<Action>) -> Void

    public init(_ run: @escaping (Handler<Action>) -> Void) {
        self.run = run
    }

    public static func pure() -> IO { IO { _ in } }

    static func composed(_ first: IO, _ second: IO) -> IO {
        IO { output in
            first.run(output)
            second.run(output)
        }
    }
}
