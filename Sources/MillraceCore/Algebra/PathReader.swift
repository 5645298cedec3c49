// SPDX-License-Identifier: Apache-2.0

/// A key path made ready to be used at every action: as an offset if it leads to a stored property.
///
/// A walk along a key path costs tens of nanoseconds, an offset is an addition.
@usableFromInline
package struct PathReader<Root, Value>: @unchecked Sendable {
    // Unchecked because a key path is Sendable unless it captures a subscript's index that is not; it is never changed.
    @usableFromInline let path: KeyPath<Root, Value>
    /// Negative: not a stored property.
    @usableFromInline let offset: Int

    @inlinable
    package init(_ path: KeyPath<Root, Value>) {
        self.path = path
        offset = MemoryLayout<Root>.offset(of: path) ?? -1
    }

    @inlinable
    package func read(_ root: Root) -> Value {
        guard offset >= 0 else { return root[keyPath: path] }
        return withUnsafePointer(to: root) { pointer in
            // The offset came from the key path, so a Value is stored there.
            (UnsafeRawPointer(pointer) + offset).assumingMemoryBound(to: Value.self).pointee
        }
    }

    /// The same of a value that stays where it is.
    @inlinable
    package func read(at root: UnsafePointer<Root>) -> Value {
        guard offset >= 0 else { return Borrowed.at(root) { $0[keyPath: path] } }
        // The offset came from the key path, so a Value is stored there.
        return (UnsafeRawPointer(root) + offset).assumingMemoryBound(to: Value.self).pointee
    }

    /// `read` as a closure, made where no conformance of `Root` or `Value` is in sight that it might capture.
    @inlinable
    package var closure: @Sendable (Root) -> Value { { read($0) } }
}
