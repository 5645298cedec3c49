// SPDX-License-Identifier: Apache-2.0

/// Where the live state of a store's pipeline lies, so that a middleware can look at a part of it without a copy of the
/// whole, which the getter is.
///
/// Given to middlewares in `bind(to:live:)`, and there to be passed on: only this package's middlewares look.
///
/// **Invariant.** The memory is the pipeline's. It may be looked at in `handle` and `afterReduce` that the pipeline
/// calls, and nowhere else: not in a work, an output or a getter, which any thread may call, and not while the reducers
/// run. There it is what the getter of the same binding would return. So whoever gives a middleware another getter
/// than its own must not pass this on, unless it leads to the same place.
public struct LiveState<State>: @unchecked Sendable {
    // Unchecked: it only tells where; who looks is on the pipeline's thread.
    @usableFromInline package let pointer: UnsafePointer<State>
    /// Keeps the memory.
    @usableFromInline let owner: AnyObject

    /// - Parameter owner: Keeps the memory at `pointer` and must not keep a middleware.
    @inlinable
    package init(_ pointer: UnsafePointer<State>, owner: AnyObject) {
        self.pointer = pointer
        self.owner = owner
    }

    /// A part of it; nil if the key path does not lead to a stored property.
    @inlinable
    func part<Part>(_ reader: PathReader<State, Part>) -> LiveState<Part>? {
        guard reader.offset >= 0 else { return nil }
        // The offset came from the key path, so a Part is stored there.
        let part = (UnsafeRawPointer(pointer) + reader.offset).assumingMemoryBound(to: Part.self)
        return LiveState<Part>(part, owner: owner)
    }
}
