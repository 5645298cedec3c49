// SPDX-License-Identifier: Apache-2.0

/// The ids of the elements that an effect is started for, outer before inner. There are none outside of
/// `liftToCollection`.
@usableFromInline
struct EffectScope: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: ids are values, which are only compared and hashed.
    /// Nil instead of an empty array: then there is nothing to retain.
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
