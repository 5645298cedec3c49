// SPDX-License-Identifier: Apache-2.0

/// A part of the state of a store of substates: a value, which the store finds by its type.
///
/// ```swift
/// struct Tasks: SubstateType, Equatable {
///     var titles: [String] = []
/// }
/// ```
///
/// Make the type Equatable if comparing is cheap: `states(of:)` of the store then leaves out equal values, and tests
/// can compare states.
public protocol SubstateType: Sendable {}
