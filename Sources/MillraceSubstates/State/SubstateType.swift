// SPDX-License-Identifier: Apache-2.0

/// A part of the state of a ``SubstateStore``: a value that the store finds by its type.
///
/// ```swift
/// struct Tasks: SubstateType, Equatable {
///     var titles: [String] = []
/// }
/// ```
///
/// Make the type Equatable if a comparison is cheap. Then `states(of:)` of the store leaves out a value that equals the
/// one before it, and tests can compare states.
public protocol SubstateType: Sendable {}
