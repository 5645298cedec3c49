// SPDX-License-Identifier: Apache-2.0

/// The token, the name and the elements of an effect, by which the effects of a middleware can be told apart.
///
/// ```swift
/// middleware.cancel { $0.elements.contains(closedTab.id) }
/// ```
public struct EffectLabel: Hashable, @unchecked Sendable, CustomStringConvertible {
    // Unchecked because of AnyHashable: tokens and ids are values, which are only compared, hashed and printed.
    /// The token of the effect, if it has one.
    public let token: AnyHashable?
    /// The name that ``Effect/named(_:)`` gave the effect.
    public let name: String?
    /// The ids and keys of the elements that the effect was started for, outer before inner. There are none outside of
    /// `liftToCollection` by id and `liftToDictionary`.
    public let elements: [AnyHashable]

    init(token: AnyHashable?, name: String?, elements: [AnyHashable]) {
        self.token = token
        self.name = name
        self.elements = elements
    }

    /// The name, or else the token, or else "effect"; then the elements, inner before outer: "load of 7 in 1".
    public var description: String {
        let text = name ?? token.map { "\($0)" } ?? "effect"
        return elements.isEmpty ? text : "\(text) of \(elements.reversed().map { "\($0)" }.joined(separator: " in "))"
    }
}
