// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The object of an effect, if it has one: a tag, or an action that is already known. One word, as an effect has no
/// room for more.
@usableFromInline
enum EffectHead<OutputAction>: Sendable {
    case nothing
    case tag(EffectTag)
    case answer(EffectAnswer<OutputAction>)

    @inlinable
    init(_ tag: EffectTag?) {
        self = if let tag { .tag(tag) } else { .nothing }
    }

    @inlinable
    var tag: EffectTag? {
        switch self {
        case .nothing: nil
        case .tag(let tag): tag
        case .answer(let answer): answer.tag
        }
    }

    @inlinable
    var answer: EffectAnswer<OutputAction>? {
        if case .answer(let answer) = self { answer } else { nil }
    }

    /// The answer, without a reference count. Valid while the effect exists.
    @inlinable
    var unretainedAnswer: Unmanaged<EffectAnswer<OutputAction>>? {
        if case .answer(let answer) = self { .passUnretained(answer) } else { nil }
    }

    @inlinable
    mutating func setTag(_ tag: EffectTag?) {
        guard case .answer(var answer) = self else { return self = EffectHead(tag) }
        self = .nothing  // so that no other reference counts here
        if isKnownUniquelyReferenced(&answer) {
            answer.tag = tag
        } else {
            answer = EffectAnswer(answer.action, answer.dispatcher, tag)
        }
        self = .answer(answer)
    }
}

/// The action of an effect that sends this one action and completes. As it is no closure, it can be sent without an
/// object for the run.
@usableFromInline
final class EffectAnswer<Action>: @unchecked Sendable {
    // Unchecked because actions need not be Sendable in SwiftRex; each run sends a copy.
    @usableFromInline let action: Action
    @usableFromInline let dispatcher: ActionSource
    /// Set only while one effect alone holds the answer.
    @usableFromInline @exclusivity(unchecked) var tag: EffectTag?

    @inlinable
    init(_ action: Action, _ dispatcher: ActionSource, _ tag: EffectTag? = nil) {
        self.action = action
        self.dispatcher = dispatcher
        self.tag = tag
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
