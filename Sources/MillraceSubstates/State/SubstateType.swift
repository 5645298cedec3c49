// SPDX-License-Identifier: Apache-2.0

/// A part of the state of a store of substates: a value type of its own, found by its type.
///
/// ```swift
/// struct Tasks: SubstateType, Equatable {
///     var titles: [String] = []
/// }
/// ```
///
/// Let it be Equatable where that is cheap: `states(of:)` of the store then leaves out equal values, and tests can
/// compare states.
public protocol SubstateType: Sendable {}
