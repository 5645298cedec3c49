// SPDX-License-Identifier: Apache-2.0

/// A function that returns the state at the moment of the call.
///
/// ```swift
/// let before = state()
/// return IO { output in
///     let after = state()
/// }
/// ```
///
/// On the pipeline's thread it returns the live state: the state before the reducers in `handle`, the state after them
/// in an ``IO``. On any other thread it returns the latest published snapshot.
public typealias GetState<StateType> = @Sendable () -> StateType
