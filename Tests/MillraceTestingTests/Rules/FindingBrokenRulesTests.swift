// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

// The code of the article FindingBrokenRules.

enum DraftAction: Sendable, Equatable {
    case typed(String), discarded, saved(String)
}

struct Draft: Sendable, Equatable {
    var text = ""
    var saved: String?
}

let draftReducer = Reducer<DraftAction, Draft>.reduce { action, draft in
    switch action {
    case .typed(let text): draft.text = text
    case .discarded: draft = Draft()
    case .saved(let text): draft.saved = text
    }
}

func autosave() -> SimpleEffectMiddleware<DraftAction, Draft> {
    .onAction { action, _, _ in
        switch action {
        case .typed(let text): Effect.just(.saved(text)).debounce(for: .seconds(1), token: "save")
        case .discarded: .toCancel("save")
        case .saved: .doNothing
        }
    }
}

/// Counts the actions that the middleware inside handles.
struct Counted<Base: MiddlewareProtocol>: MiddlewareWrapper {
    final class Count { var actions = 0 }

    var base: Base
    let count = Count()

    func handle(
        action: Base.InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<Base.StateType>,
        next: BaseHandle
    ) -> IO<Base.OutputActionType> {
        count.actions += 1
        return next(action, dispatcher, state)
    }
}

@Suite("The article about broken rules")
struct FindingBrokenRulesTests {
    @Test func autosaveObeysTheRules() throws {
        try MiddlewareRules.check(
            actions: [.typed("m"), .typed("mi"), .discarded, .typed("mill"), .typed("millrace")],
            initialState: Draft(),
            reducer: draftReducer
        ) { _ in
            autosave()
        }
    }

    @Test func countedObeysTheRules() throws {
        try MiddlewareRules.check(wrapper: { Counted(base: $0) })
    }

    @Test func nothingIsSavedThatWasNeverTyped() throws {
        let actions = ActionGenerator<DraftAction>(
            .case(weight: 4) { random in .typed("text \(Int.random(in: 0...3, using: &random))") },
            .case { _ in .discarded }
        )
        try checkProperty(
            .change("what is saved is the text") { before, action, after in
                before.saved == after.saved || after.saved == nil || after.saved == after.text
            },
            actions: actions,
            initialState: Draft(),
            reducer: draftReducer
        ) { _ in
            autosave()
        }
    }
}
