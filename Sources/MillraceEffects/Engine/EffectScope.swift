// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The world of the store, if there is one, then the ids and keys of the elements that an effect is started for, outer
/// before inner. Only `liftToCollection` by id and `liftToDictionary` add ids and keys.
@usableFromInline
struct EffectScope: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: ids are values, which are only compared and hashed.
    /// Nil instead of an empty array: then there is nothing to retain.
    @usableFromInline let list: [AnyHashable]?

    @inlinable
    init(_ list: [AnyHashable]? = nil) {
        self.list = list
    }

    /// The scope of all effects of a store: its world; empty without one. Two tests that run at the same time may share
    /// a middleware; because their worlds differ, they do not share tokens.
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
