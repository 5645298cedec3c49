// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import TestSupport

/// Where a middleware that is driven without a store dispatches to.
final class Output<Action: Sendable>: Sendable {
    let dispatched = Recorder<DispatchedAction<Action>>()

    var actions: [Action] { dispatched.all.map(\.action) }

    var handler: AnyActionHandler<Action> {
        AnyActionHandler { [dispatched] in dispatched.record($0) }
    }
}

extension EffectMiddleware where StateType == Int, InputActionType: Sendable, OutputActionType: Sendable {
    /// What a store does with an action, without one.
    func run(_ action: InputActionType, _ output: Output<OutputActionType>, state: Int = 0) {
        handle(action: action, from: .here(), state: { state }).run(output.handler)
    }
}

/// Starts an effect by itself, in a middleware of its own.
struct Rig<Action: Sendable>: Sendable {
    let output = Output<Action>()
    let middleware: EffectMiddleware<Int, Action, Int, Void>

    init(_ effects: Effect<Void, Action>...) {
        middleware = .onAction { action, _, _ in effects[action] }
        for index in effects.indices { middleware.run(index, output) }
    }
}

/// Counts those that are there.
final class Alive: Sendable {
    private let count: Shared<Int>

    init(_ count: Shared<Int>) {
        self.count = count
        count.update { $0 += 1 }
    }

    deinit {
        count.update { $0 -= 1 }
    }
}

/// A door that opens once.
final class Door: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func open() {
        continuation.finish()
    }

    /// Returns when it is open, or when the task is cancelled.
    func wait() async {
        for await _ in stream {}
    }
}
