// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The token, policy, name and elements of an effect in one object: most effects have none of them.
///
/// A tag is also the key of an effect in its registry. Two tags are equal if their tokens and their elements of
/// collections are, by `==`; equal hashes are not enough. Both are hashed once, when a registry first looks for the
/// tag.
@usableFromInline
class EffectTag: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: tokens are values, which are only compared and hashed.
    /// Whether there is a token. Stored, as comparing with nil would compare two AnyHashable values.
    @usableFromInline final let isToken: Bool
    @usableFromInline final let policy: EffectPolicy
    @usableFromInline final let name: String?
    private final let scope: EffectScope
    private final let given: AnyHashable?
    /// The hash of the token and the elements; 0: not computed yet. Relaxed: each thread computes the same.
    private final let hash = Atomic<Int>(0)

    /// The token. Nil: the effect has only a name, or the token was nil.
    @usableFromInline var token: AnyHashable? { given }

    @usableFromInline
    init(_ token: AnyHashable?, _ policy: EffectPolicy, _ name: String?, _ scope: EffectScope = EffectScope()) {
        given = token
        if case .some = token { isToken = true } else { isToken = false }
        self.policy = policy
        self.name = name
        self.scope = scope
    }

    /// Creates the tag of a subclass that has a token.
    @usableFromInline
    init(_ policy: EffectPolicy, _ name: String?) {
        given = nil
        isToken = true
        self.policy = policy
        self.name = name
        scope = EffectScope()
    }

    @inlinable
    static func of<Token: Hashable>(_ token: Token, policy: EffectPolicy = .replace, name: String? = nil) -> EffectTag {
        // The client's compiler decides about the first two, and makes the tag without a look at the type.
        if Token.self == Int.self || Token.self == String.self || isPlain(Token.self) {
            return PlainTag(token, policy, name)
        }
        return EffectTag(unwrapped(token), policy, name)
    }

    /// Creates a tag like `tag`, with another name.
    @usableFromInline
    convenience init(name: String?, of tag: EffectTag?) {
        self.init(tag?.token, tag?.policy ?? .replace, name)
    }

    /// Returns this tag for an element of a collection.
    @usableFromInline
    final func inside(_ scope: EffectScope) -> EffectTag {
        scope.isEmpty ? self : EffectTag(token, policy, name, scope)
    }

    @usableFromInline
    static func == (lhs: EffectTag, rhs: EffectTag) -> Bool {
        lhs === rhs || (lhs.keyHash == rhs.keyHash && lhs.hasToken(of: rhs) && lhs.scope == rhs.scope)
    }

    @usableFromInline
    final func hash(into hasher: inout Hasher) {
        hasher.combine(keyHash)
    }

    /// The hash of what ``==`` compares.
    final var keyHash: Int {
        let known = hash.load(ordering: .relaxed)
        if known != 0 { return known }
        let computed = scope.isEmpty ? hashToken() : hashToken() ^ scope.hashValue
        hash.store(computed, ordering: .relaxed)
        return computed
    }

    /// Returns the hash that the token has as an `AnyHashable` in a dictionary. That is not `hashValue`, which a type
    /// may define differently, as `NSString` does.
    @usableFromInline
    func hashToken() -> Int { token.map { $0._rawHashValue(seed: 0) } ?? 0 }

    @usableFromInline
    func hasToken(of other: EffectTag) -> Bool { token == other.token }

    /// A token type that is known not to be an optional. The check takes as long as all the rest, and a middleware
    /// rarely uses several types of tokens.
    private static let plainType = Atomic<UInt>(0)

    @usableFromInline
    static func isPlain<Token>(_ type: Token.Type) -> Bool {
        // Relaxed: it orders nothing.
        plainType.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(type))
    }

    /// A token type all of whose values hash as their `AnyHashable` does, noted for the same reason.
    private static let ownHashType = Atomic<UInt>(0)

    static func hasOwnHash<Token>(_ type: Token.Type) -> Bool {
        // Relaxed: it orders nothing.
        ownHashType.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(type))
    }

    /// Returns a token without its optionals: nil for an optional that is nil, which is no token, otherwise the token
    /// of the value. So it does not matter where a token became an optional.
    @usableFromInline
    static func unwrapped<Token: Hashable>(_ token: Token) -> AnyHashable? {
        var token = AnyHashable(token)
        if isPlain(Token.self) { return token }
        // The type is asked, as an AnyHashable of an optional that is not nil holds the value in it.
        if Token.self != AnyHashable.self, !(Token.self is any OptionalToken.Type) {
            plainType.store(UInt(bitPattern: ObjectIdentifier(Token.self)), ordering: .relaxed)
            // One value of a class says nothing about the values of its subclasses.
            if !(Token.self is AnyClass), !(token.base is any _HasCustomAnyHashableRepresentation) {
                ownHashType.store(UInt(bitPattern: ObjectIdentifier(Token.self)), ordering: .relaxed)
            }
        }
        while let optional = token.base as? any OptionalToken {
            guard let value = optional.unwrapped else { return nil }
            token = value
        }
        return token
    }
}

/// A tag that keeps its token without an `AnyHashable`, which takes longer to make than all the rest of a tag.
@usableFromInline
final class PlainTag<Token: Hashable>: EffectTag, @unchecked Sendable {
    // Unchecked as the base class is.
    @usableFromInline let plain: Token

    @usableFromInline override var token: AnyHashable? { AnyHashable(plain) }

    @inlinable
    init(_ token: Token, _ policy: EffectPolicy, _ name: String?) {
        plain = token
        super.init(policy, name)
    }

    @usableFromInline
    override func hashToken() -> Int {
        // The same as the AnyHashable's, which is needed for the other types: that of a number, for instance, has the
        // hash of equal numbers of other types.
        if Token.self == Int.self || Token.self == String.self || EffectTag.hasOwnHash(Token.self) {
            return plain._rawHashValue(seed: 0)
        }
        return AnyHashable(plain)._rawHashValue(seed: 0)
    }

    @usableFromInline
    override func hasToken(of other: EffectTag) -> Bool {
        if type(of: other) == PlainTag.self { return plain == unsafeDowncast(other, to: PlainTag.self).plain }
        return super.hasToken(of: other)
    }
}

private protocol OptionalToken {
    var unwrapped: AnyHashable? { get }
}

extension Optional: OptionalToken where Wrapped: Hashable {
    var unwrapped: AnyHashable? { map { AnyHashable($0) } }
}
