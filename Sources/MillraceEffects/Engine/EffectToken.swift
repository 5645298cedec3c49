// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Under what an effect is found in its registry: its token, and the elements of collections it was started for.
///
/// Compared by equality: two tokens with one hash value are two tokens. Hashed once.
@usableFromInline
final class EffectToken: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: tokens are values, which are only compared and hashed.
    let value: AnyHashable
    /// The ids of the elements, inner before outer.
    private let scope: EffectScope
    private let hash: Int

    /// A type of tokens that is no optional, as to find out takes as long as all the rest. A middleware rarely has more.
    private static let plainType = Atomic<UInt>(0)

    private init(unwrapped value: AnyHashable, _ scope: EffectScope) {
        self.value = value
        self.scope = scope
        hash = value.hashValue
    }

    /// Nil for an optional that is nil: that is no token. One with a value is the token of that value, so that it does
    /// not matter where on its way a token was an optional.
    @usableFromInline
    convenience init?<Token: Hashable>(_ token: Token) {
        let type = UInt(bitPattern: ObjectIdentifier(Token.self))
        // Relaxed: it orders nothing.
        let isPlain = Self.plainType.load(ordering: .relaxed) == type
        var token = AnyHashable(token)
        if isPlain {
            self.init(unwrapped: token, EffectScope())
            return
        }
        if Token.self != AnyHashable.self, !(token.base is any OptionalToken) {
            Self.plainType.store(type, ordering: .relaxed)
        }
        while let optional = token.base as? any OptionalToken {
            guard let value = optional.unwrapped else { return nil }
            token = value
        }
        self.init(unwrapped: token, EffectScope())
    }

    /// The same for an element.
    @usableFromInline
    func inside(_ scope: EffectScope) -> EffectToken {
        scope.isEmpty ? self : EffectToken(unwrapped: value, scope)
    }

    @usableFromInline
    static func == (lhs: EffectToken, rhs: EffectToken) -> Bool {
        lhs === rhs || (lhs.hash == rhs.hash && lhs.value == rhs.value && lhs.scope == rhs.scope)
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

private protocol OptionalToken {
    var unwrapped: AnyHashable? { get }
}

extension Optional: OptionalToken where Wrapped: Hashable {
    var unwrapped: AnyHashable? { map { AnyHashable($0) } }
}

/// The ids of the elements that an effect is started for, inner before outer; none outside of `liftToCollection`.
@usableFromInline
struct EffectScope: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: ids are values, which are only compared and hashed.
    /// Nil, and never empty: then there is nothing to retain.
    @usableFromInline let list: [AnyHashable]?

    @inlinable
    init(_ list: [AnyHashable]? = nil) {
        self.list = list
    }

    @inlinable var isEmpty: Bool { list == nil }

    var ids: [AnyHashable] { list ?? [] }

    func inside(_ id: AnyHashable) -> EffectScope {
        EffectScope(ids + [id])
    }
}
