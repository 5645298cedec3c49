// SPDX-License-Identifier: Apache-2.0

/// Under what an effect is found in its registry: its token, and the elements of collections it was started for.
///
/// Compared by equality: two tokens with one hash value are two tokens.
struct EffectToken: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: tokens are values, which are only compared and hashed.
    /// The ids of the elements, inner before outer.
    let scope: EffectScope
    let token: AnyHashable
}

/// The ids of the elements that an effect is started for, inner before outer; none outside of `liftToCollection`.
@usableFromInline
struct EffectScope: Hashable, @unchecked Sendable {
    // Unchecked because of AnyHashable: ids are values, which are only compared and hashed.
    private var ids: [AnyHashable] = []

    @usableFromInline
    init() {}

    @usableFromInline
    func inside(_ id: AnyHashable) -> EffectScope {
        var scope = self
        scope.ids.append(id)
        return scope
    }
}
