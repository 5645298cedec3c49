// SPDX-License-Identifier: Apache-2.0

/// The token of an answer. Most tokens are kept in place: an answer that is sent at once needs no ``EffectTag``, which
/// is an object, unless effects with tokens are under way.
@usableFromInline
enum AnswerToken {
    case none
    /// Any other token, or a name.
    case tag(EffectTag)
    /// A text, with the policy `.replace` and without a name.
    case text(String)
    /// The bytes of a token without references, of at most 16 bytes, with its type; the same policy, and no name.
    case plain(UInt64, UInt64, any Hashable.Type)

    /// Keeps a token in place. Nil: it is too large, holds references, may be an optional, or its type is new.
    @inlinable
    init?<Token: Hashable>(inPlace token: Token) {
        if Token.self == String.self, let text = token as? String {
            self = .text(text)
        } else if Token.self == Int.self || EffectTag.isPlain(Token.self), _isPOD(Token.self),
            MemoryLayout<Token>.size <= 16, MemoryLayout<Token>.alignment <= 8
        {
            var bytes: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &bytes) { $0.storeBytes(of: token, as: Token.self) }
            self = .plain(bytes.0, bytes.1, Token.self)
        } else {
            return nil
        }
    }

    /// The tag of the effect. Makes one if the token is kept in place.
    @usableFromInline var tag: EffectTag? {
        switch self {
        case .none: nil
        case .tag(let tag): tag
        case .text(let text): EffectTag.of(text)
        case .plain(let first, let second, let type): Self.tag(first, second, type)
        }
    }

    private static func tag<Token: Hashable>(_ first: UInt64, _ second: UInt64, _: Token.Type) -> EffectTag {
        withUnsafeBytes(of: (first, second)) { EffectTag.of($0.load(as: Token.self)) }
    }
}
