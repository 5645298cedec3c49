// SPDX-License-Identifier: Apache-2.0

/// What a middleware that is lifted to an element does if the reducers remove the element while they handle an action
/// for it.
public enum VanishedElement: Sendable, Hashable {
    /// `afterReduce` and the IO of that action are not called. The store counts the action in `StoreMetrics.vanished`.
    case skip
    /// They are called, and the getter returns the element as it was before the reducers, as in SwiftRex.
    ///
    /// **Cost.** The lift keeps a copy of the element while the reducers run. If a reducer then changes a container of
    /// the element, such as an array or a dictionary, it copies the whole container, at each action.
    case snapshot
}
