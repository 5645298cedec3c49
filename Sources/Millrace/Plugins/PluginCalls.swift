// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What asks all plugins that see actions: closures of closures, as to go through an array retains each.
@usableFromInline
final class PluginCalls<Action> {
    @usableFromInline typealias Handle = (Action, ActionSource) -> IO<Action>
    @usableFromInline typealias AfterReduce = (Action, ActionSource, AnyActionHandler<Action>) -> Void

    @usableFromInline let handle: Handle
    @usableFromInline let afterReduce: AfterReduce

    /// - Parameters:
    ///   - handles: In their order.
    ///   - afterReduces: In the order of their plugins; the last is called first.
    init(_ handles: [Handle] = [], _ afterReduces: [AfterReduce] = []) {
        var handle = handles.last ?? { _, _ in .pure() }
        for first in handles.dropLast().reversed() {
            let rest = handle
            handle = { action, dispatcher in
                let io = first(action, dispatcher)
                // As a rule; so that nothing is composed, which code that knows no types does not do for nothing.
                if io.isPure { return rest(action, dispatcher) }
                return rest(action, dispatcher) <> io
            }
        }
        var afterReduce = afterReduces.first ?? { _, _, _ in }
        for last in afterReduces.dropFirst() {
            let rest = afterReduce
            afterReduce = { action, dispatcher, output in
                last(action, dispatcher, output)
                rest(action, dispatcher, output)
            }
        }
        self.handle = handle
        self.afterReduce = afterReduce
    }
}
