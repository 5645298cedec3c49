// SPDX-License-Identifier: Apache-2.0

/// Why `send` could not put an action into the queue of a store. `send` also throws `CancellationError`.
public enum SendError: String, Error, Sendable, Hashable, CustomStringConvertible {
    /// The store accepts no more actions: it was closed, shut down or released. Send only while the store is in use.
    case closed
    /// The system had no memory for the queue. Give the store a capacity (``StoreCapacity``), or free memory.
    case outOfMemory

    /// A text that says what happened, and what to do.
    public var description: String {
        switch self {
        case .closed: "the store is closed and accepts no more actions: send only while it is in use"
        case .outOfMemory: "no memory for the store's queue: give the store a capacity, or free memory"
        }
    }
}
