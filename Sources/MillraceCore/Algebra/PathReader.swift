// SPDX-License-Identifier: Apache-2.0

/// A key path prepared for use at every action: as an offset if it leads to a stored property.
///
/// Evaluating a key path costs tens of nanoseconds; an offset costs one addition.
@usableFromInline
package struct PathReader<Root, Value>: @unchecked Sendable {
    // Unchecked: a key path is Sendable unless it captures a subscript index that is not. It is never changed.
    @usableFromInline let path: KeyPath<Root, Value>
    /// Negative if the key path does not lead to a stored property.
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

    /// Reads the value from a root that stays in its memory.
    @inlinable
    package func read(at root: UnsafePointer<Root>) -> Value {
        guard offset >= 0 else { return Borrowed.at(root) { $0[keyPath: path] } }
        return address(in: root).pointee
    }

    /// The address of the value in a root that stays in its memory. Only for a key path to a stored property.
    @inlinable
    package func address(in root: UnsafePointer<Root>) -> UnsafePointer<Value> {
        // The offset came from the key path, so a Value is stored there.
        (UnsafeRawPointer(root) + offset).assumingMemoryBound(to: Value.self)
    }

    /// `read` as a closure. It is made here because here it cannot capture a conformance of `Root` or `Value`.
    @inlinable
    package var closure: @Sendable (Root) -> Value { { read($0) } }
}
