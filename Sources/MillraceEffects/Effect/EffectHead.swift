// SPDX-License-Identifier: Apache-2.0

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
        guard case .answer(let answer) = self else { return self = EffectHead(tag) }
        self = .nothing  // so that no other reference counts here
        self = .answer(EffectAnswer.with(tag.map(AnswerToken.tag) ?? .none, answer))
    }

    /// Keeps a token of an answer without an object of its own, if that is possible: see ``AnswerToken``.
    @inlinable
    mutating func setTokenInPlace<Token: Hashable>(_ token: Token) -> Bool {
        guard case .answer(let answer) = self, answer.isPlain, let token = AnswerToken(inPlace: token) else {
            return false
        }
        self = .nothing  // so that no other reference counts here
        self = .answer(EffectAnswer.with(token, answer))
        return true
    }
}
