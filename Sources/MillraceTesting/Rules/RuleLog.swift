// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// What an observed middleware did in one world. Belongs to the holder of the world's token.
final class RuleLog: @unchecked Sendable {
    // Unchecked because of that rule.

    /// An action that the store handled, or that the middleware dispatched.
    struct Row: Hashable, CustomStringConvertible {
        let parent: UInt64
        let text: String

        var description: String { parent == 0 ? text : "\(text) (caused by number \(parent))" }
    }

    /// What the store handled, in its order.
    private(set) var handled: [Row] = []
    /// What the middleware dispatched while it handled an action, in its order.
    private(set) var dispatched: [Row] = []
    /// The first dispatch after `isOver`.
    private(set) var late: Row?
    /// Whether nothing may be dispatched any more.
    var isOver = false
    /// The canceller of the middleware, once it is bound.
    var canceller: EffectCanceller?
    /// How many observed middlewares the store still holds.
    var held = 0
    /// How many outputs that the middleware was given still exist.
    var outputs = 0
    /// What a ``RuleWitness`` found wrong, in words.
    var complaint: String?
    /// How often the innermost middleware was called.
    var calls = 0
    /// An effect in a wrapper that ended although it was cancelled before, in words.
    private(set) var uncancelled: String?
    /// The tokens of the effects in a wrapper that were started and not cancelled.
    private var started: Set<Int> = []
    private var depth = 0
    /// The number of the action that is being handled.
    private var number: UInt64 = 0

    func noteHandled(_ action: Any, position: ActionPosition) {
        let cause = position.cause
        number = position.number
        handled.append(Row(parent: cause.parent, text: String(describing: action)))
        guard uncancelled == nil, case .ended(let token)? = action as? RuleAction, !started.contains(token) else {
            return
        }
        uncancelled =
            "The effect with the token \(token) was cancelled, but its action \(action) was handled after that"
    }

    /// The middleware in a wrapper handles an action.
    func noteSeen(_ action: RuleAction) {
        switch action {
        case .start(let token): started.insert(token)
        case .cancel(let token): started.remove(token)
        default: break
        }
    }

    func noteDispatch(_ action: Any, cause: ActionCause) {
        let text = String(describing: action)
        if isOver, late == nil { late = Row(parent: cause.parent, text: text) }
        // Uses the number of the action that is being handled, because a wrapper may have changed the cause of the
        // output.
        if depth > 0 { dispatched.append(Row(parent: number, text: text)) }
    }

    /// Calls `body`. Its dispatches count as those of the action that is being handled.
    func handling<Result>(_ body: () -> Result) -> Result {
        depth += 1
        defer { depth -= 1 }
        return body()
    }
}

/// A part of a middleware that counts in the log while it exists.
final class ReleaseMark {
    private let log: RuleLog

    init(_ log: RuleLog) {
        self.log = log
        log.held += 1
    }

    deinit { log.held -= 1 }
}
