// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The action of an effect that sends this one action and completes. As it is no closure, it can be sent without an
/// object for the run.
@usableFromInline
final class EffectAnswer<Action>: @unchecked Sendable {
    // Unchecked because actions need not be Sendable in SwiftRex; each run sends a copy.
    /// Set only while one effect alone holds the answer. The first property, so that its place does not depend on the
    /// type of the action. Inlinable code only sets it in `init`, as other modules' compilers would check an access.
    @usableFromInline @exclusivity(unchecked) var token: AnswerToken
    @usableFromInline let dispatcher: ActionSource
    @usableFromInline let action: Action

    @usableFromInline var tag: EffectTag? { token.tag }

    @inlinable
    init(_ action: Action, _ dispatcher: ActionSource, _ token: AnswerToken = .none) {
        self.action = action
        self.dispatcher = dispatcher
        self.token = token
    }

    /// Returns this answer with another token. The caller passes on its reference, so an answer that nobody else holds
    /// is changed in place.
    @usableFromInline
    static func with(_ token: AnswerToken, _ answer: consuming EffectAnswer) -> EffectAnswer {
        var answer = answer
        if isKnownUniquelyReferenced(&answer) {
            answer.token = token
            return answer
        }
        return EffectAnswer(answer.action, answer.dispatcher, token)
    }

    /// Whether there is neither a token nor a name.
    @usableFromInline var isPlain: Bool {
        if case .none = token { true } else { false }
    }

    @usableFromInline var hasToken: Bool {
        switch token {
        case .none: false
        case .tag(let tag): tag.isToken
        case .text, .plain: true
        }
    }

    /// Returns the closure that sends the action in a run, and completes.
    @inlinable
    func start<Dependencies>()
        -> @Sendable (Effect<Dependencies, Action>.Context, Effect<Dependencies, Action>.Sink) -> Void
    {
        { _, sink in
            sink.sendInAnyCase(DispatchedAction(self.action, dispatcher: self.dispatcher))
            sink.complete()
        }
    }
}
