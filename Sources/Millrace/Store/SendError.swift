// SPDX-License-Identifier: Apache-2.0

/// Why `send` could not hand an action to a store. Beside these it throws `CancellationError`.
public enum SendError: String, Error, Sendable, Hashable, CustomStringConvertible {
    /// The store takes no more actions: it was closed, shut down or released. Send only while the store is in use.
    case closed
    /// The system gave no memory for the queue. Bound the store (``StoreCapacity``), or free memory.
    case outOfMemory

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .closed: "the store is closed: it was shut down or released, and takes no more actions"
        case .outOfMemory: "no memory for the store's queue: bound it by its capacity, or free memory"
        }
    }
}
