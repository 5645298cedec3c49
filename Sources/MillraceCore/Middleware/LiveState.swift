// SPDX-License-Identifier: Apache-2.0

/// The location of a store's live state, at which a middleware can read a part of the state without copying the whole
/// state. The getter makes such a copy.
///
/// A store gives it to middlewares in `bind(to:live:)`, and they pass it on. Only middlewares of this package read it.
///
/// **Invariant.** The memory belongs to the pipeline. It may be read only in `handle` and `afterReduce` that the
/// pipeline calls. It must not be read in an IO, an output or a getter, which any thread may call, or while the
/// reducers run. In `handle` and `afterReduce`, it holds the state that the getter of the same binding would return. A
/// middleware that gives another getter to the middlewares inside it must not pass this value on, unless it leads to
/// the same memory.
public struct LiveState<State>: @unchecked Sendable {
    // Unchecked: it only holds an address; code that reads the memory is on the pipeline's thread.
    @usableFromInline package let pointer: UnsafePointer<State>
    /// Keeps the memory alive.
    @usableFromInline let owner: AnyObject

    /// - Parameter owner: The object that keeps the memory at `pointer` alive. It must not keep a middleware alive.
    @inlinable
    package init(_ pointer: UnsafePointer<State>, owner: AnyObject) {
        self.pointer = pointer
        self.owner = owner
    }

    /// Returns the location of a part of the state; nil if the key path does not lead to a stored property.
    @inlinable
    func part<Part>(_ reader: PathReader<State, Part>) -> LiveState<Part>? {
        guard reader.offset >= 0 else { return nil }
        // The offset came from the key path, so a Part is stored there.
        let part = (UnsafeRawPointer(pointer) + reader.offset).assumingMemoryBound(to: Part.self)
        return LiveState<Part>(part, owner: owner)
    }
}
