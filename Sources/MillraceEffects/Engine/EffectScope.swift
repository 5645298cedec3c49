// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The ids and keys of the elements that an effect is started for, outer before inner. There are none outside of
/// `liftToCollection` by id and `liftToDictionary`.
@usableFromInline
struct EffectScope: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: ids are values, which are only compared and hashed.
    /// Nil instead of an empty array: then there is nothing to retain.
    @usableFromInline let list: [AnyHashable]?

    @inlinable
    init(_ list: [AnyHashable]? = nil) {
        self.list = list
    }

    /// The scope of all effects of a store: that of its world, so that stores of two worlds that share a middleware, as in
    /// two tests side by side, do not share tokens. Empty without a world.
    init(of world: (any StoreWorld)?) {
        list = world.map { [AnyHashable(WorldScope(world: $0))] }
    }

    @inlinable var isEmpty: Bool { list == nil }

    /// The world; nil: the system.
    var world: (any StoreWorld)? { (list?.first?.base as? WorldScope)?.world }

    /// The ids and keys of the elements.
    var ids: [AnyHashable] {
        guard let list else { return [] }
        return list.first?.base is WorldScope ? Array(list.dropFirst()) : list
    }

    @usableFromInline
    func inside(_ id: AnyHashable) -> EffectScope {
        EffectScope((list ?? []) + [id])
    }
}

/// A world, compared by identity.
private struct WorldScope: Hashable {
    let world: any StoreWorld

    static func == (left: WorldScope, right: WorldScope) -> Bool { left.world === right.world }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(world)) }
}
