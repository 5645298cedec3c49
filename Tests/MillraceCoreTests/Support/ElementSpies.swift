// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport

/// Dispatches the text it sees, in the IO of `handle`; keeps getters and outputs when it is told to.
struct ElementSync: MiddlewareProtocol {
    let log = Recorder<String>()
    let getters = Shared<[GetState<Item>]>([])
    let outputs = Shared<[AnyActionHandler<ItemAction>]>([])
    var keeps = false
    var answers = true

    func handle(action: ItemAction, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<ItemAction> {
        log.record("handle \(state().id) '\(state().text.text)'")
        if keeps { getters.update { $0.append(state) } }
        guard answers else { return .pure() }
        return IO { output in
            log.record("work \(state().id) '\(state().text.text)'")
            if keeps { outputs.update { $0.append(output) } }
            output.dispatch(.rename(state().id), from: dispatcher)
        }
    }
}

/// The same in `afterReduce`, without an IO.
struct LateElementSync: MiddlewareProtocol {
    let log = Recorder<String>()
    let getters = Shared<[GetState<Item>]>([])
    let outputs = Shared<[AnyActionHandler<ItemAction>]>([])
    var keeps = false

    func handle(action: ItemAction, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<ItemAction> {
        log.record("handle \(state().id)")
        return .pure()
    }

    func afterReduce(
        action: ItemAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Item>,
        output: AnyActionHandler<ItemAction>
    ) {
        log.record("after \(state().id) '\(state().text.text)'")
        if keeps {
            getters.update { $0.append(state) }
            outputs.update { $0.append(output) }
        }
        output.dispatch(.rename(state().id), from: dispatcher)
    }
}

/// Reads by its reader alone.
struct ElementReading: MiddlewareProtocol {
    let log = Recorder<String>()
    var reader: StateReader<Item>?

    mutating func bind(_ binding: MiddlewareBinding<ItemAction, Item>) {
        reader = binding.state
    }

    func handle(action: ItemAction, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<ItemAction> {
        log.record("handle \(reader?().id ?? 0)")
        return IO { [log, reader] _ in
            log.record(reader?.withState { "io \($0.id) \($0.text.text)" } ?? "none")
        }
    }

    func afterReduce(
        action: ItemAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Item>,
        output: AnyActionHandler<ItemAction>
    ) {
        log.record(reader?.withState { "after \($0.id) \($0.text.text)" } ?? "none")
    }
}
