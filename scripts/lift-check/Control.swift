// SPDX-License-Identifier: Apache-2.0
//
// The mistake that scripts/lift-check.sh must catch: a second lift with the same labels, for a KeyPath.

import MillraceCore

extension MiddlewareProtocol {
    func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, Self> {
        let path = Unchecked(state)
        return lift(inputAction: inputAction, outputAction: outputAction, state: { $0[keyPath: path.value] })
    }
}

struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

func compositions() {
    let part = Part()
    let closures: Composed =
        part.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.a })
        <> part.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.b })
        <> part.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.c })
        <> part.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.d })
        <> part.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.e })
        <> part.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.f })
}
