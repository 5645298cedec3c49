// SPDX-License-Identifier: Apache-2.0

/// Reads the state as it is at the moment of the call.
///
/// ```swift
/// let before = state()
/// return IO { output in
///     let after = state()
/// }
/// ```
///
/// On the pipeline's thread it reads the live state: before the reducers in `handle`, after them in an ``IO``.
/// On any other thread it reads the latest published snapshot.
public typealias GetState<StateType> = @Sendable () -> StateType
