// SPDX-License-Identifier: Apache-2.0

/// A writable key path prepared for use at every action: as an offset if it leads to a stored property.
@usableFromInline
struct PathWriter<Root, Value>: @unchecked Sendable {
    // Unchecked: a key path is Sendable unless it captures a subscript index that is not. It is never changed.
    @usableFromInline let path: WritableKeyPath<Root, Value>
    /// Negative if the key path does not lead to a stored property.
    @usableFromInline let offset: Int

    @inlinable
    init(_ path: WritableKeyPath<Root, Value>) {
        self.path = path
        offset = MemoryLayout<Root>.offset(of: path) ?? -1
    }

    /// Changes the value in place.
    @inlinable
    func modify(_ root: inout Root, _ body: (inout Value) -> Void) {
        guard offset >= 0 else { return body(&root[keyPath: path]) }
        withUnsafeMutablePointer(to: &root) { pointer in
            // The offset came from the key path, so a Value is stored there. No other code uses `root` during the call.
            body(&(UnsafeMutableRawPointer(pointer) + offset).assumingMemoryBound(to: Value.self).pointee)
        }
    }

    /// Changes a place inside the value if `find` finds it, and returns true. Otherwise nothing is written, and no setter
    /// is called.
    @discardableResult
    @inlinable
    func modify<Place>(_ root: inout Root, at find: (Value) -> Place?, _ body: (inout Value, Place) -> Void) -> Bool {
        guard offset >= 0 else {
            guard let place = find(root[keyPath: path]) else { return false }
            body(&root[keyPath: path], place)
            return true
        }
        var isFound = false
        modify(&root) { value in
            guard let place = find(value) else { return }
            body(&value, place)
            isFound = true
        }
        return isFound
    }
}
