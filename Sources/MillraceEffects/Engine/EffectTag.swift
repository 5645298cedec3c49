// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The token, policy, name and elements of an effect in one object: most effects have none of them.
///
/// A tag is also the key of an effect in its registry. The token and the elements of collections are compared, by
/// equality: two tokens with one hash value are two tokens. The token is hashed once.
@usableFromInline
final class EffectTag: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: tokens are values, which are only compared and hashed.
    /// Nil: the effect has only a name, or the token was nil.
    let token: AnyHashable?
    /// Whether there is a token. Stored, as comparing with nil would compare two AnyHashable values.
    let isToken: Bool
    @usableFromInline let policy: EffectPolicy
    @usableFromInline let name: String?
    private let scope: EffectScope
    private let hash: Int

    init(_ token: AnyHashable?, _ policy: EffectPolicy, _ name: String?, _ scope: EffectScope = EffectScope()) {
        self.token = token
        if case .some = token { isToken = true } else { isToken = false }
        self.policy = policy
        self.name = name
        self.scope = scope
        hash = token.map(\.hashValue) ?? 0
    }

    @usableFromInline
    convenience init<Token: Hashable>(_ token: Token, policy: EffectPolicy = .replace, name: String? = nil) {
        self.init(Self.unwrapped(token), policy, name)
    }

    /// Creates a tag like `tag`, with another name.
    @usableFromInline
    convenience init(name: String?, of tag: EffectTag?) {
        self.init(tag?.token, tag?.policy ?? .replace, name)
    }

    /// Returns this tag for an element of a collection.
    @usableFromInline
    func inside(_ scope: EffectScope) -> EffectTag {
        scope.isEmpty ? self : EffectTag(token, policy, name, scope)
    }

    @usableFromInline
    static func == (lhs: EffectTag, rhs: EffectTag) -> Bool {
        lhs === rhs || (lhs.hash == rhs.hash && lhs.token == rhs.token && lhs.scope == rhs.scope)
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    /// A token type that is known not to be an optional. The check takes as long as all the rest, and a middleware
    /// rarely uses several types of tokens.
    private static let plainType = Atomic<UInt>(0)

    /// Returns a token without its optionals: nil for an optional that is nil, which is no token, otherwise the token
    /// of the value. So it does not matter where a token became an optional.
    static func unwrapped<Token: Hashable>(_ token: Token) -> AnyHashable? {
        let type = UInt(bitPattern: ObjectIdentifier(Token.self))
        var token = AnyHashable(token)
        // Relaxed: it orders nothing.
        if plainType.load(ordering: .relaxed) == type { return token }
        if Token.self != AnyHashable.self, !(token.base is any OptionalToken) {
            plainType.store(type, ordering: .relaxed)
        }
        while let optional = token.base as? any OptionalToken {
            guard let value = optional.unwrapped else { return nil }
            token = value
        }
        return token
    }
}

private protocol OptionalToken {
    var unwrapped: AnyHashable? { get }
}

extension Optional: OptionalToken where Wrapped: Hashable {
    var unwrapped: AnyHashable? { map { AnyHashable($0) } }
}
