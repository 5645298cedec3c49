// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The token of an effect, with what few effects have besides, in one object: most effects have none.
///
/// It is also under what an effect is found in its registry: compared are the tokens, and the elements of collections
/// that they were started for, by equality: two tokens with one hash value are two tokens. Hashed once.
@usableFromInline
final class EffectTag: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: tokens are values, which are only compared and hashed.
    /// Nil: it has a name only, or the token was nil.
    let token: AnyHashable?
    /// Whether there is one. Kept, as to compare with nil is to compare two AnyHashable.
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

    /// The same under another name.
    @usableFromInline
    convenience init(name: String?, of tag: EffectTag?) {
        self.init(tag?.token, tag?.policy ?? .replace, name)
    }

    /// The same for an element of a collection.
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

    /// A type of tokens that is no optional, as to find out takes as long as all the rest. A middleware rarely has more.
    private static let plainType = Atomic<UInt>(0)

    /// Nil for an optional that is nil: that is no token. One with a value is the token of that value, so that it does
    /// not matter where on its way a token was an optional.
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
