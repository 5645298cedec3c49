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

    /// Changes a place inside the value if `find` finds it. Otherwise nothing is written, and no setter is called.
    @inlinable
    func modify<Place>(_ root: inout Root, at find: (Value) -> Place?, _ body: (inout Value, Place) -> Void) {
        modify(&root, at: find, body, new: { nil as Never? }, insert: { _, _ in })
    }

    /// The same. If `find` finds nothing, inserts what `new` returns; if that is nil, nothing is written.
    @inlinable
    func modify<Place, Element>(
        _ root: inout Root,
        at find: (Value) -> Place?,
        _ body: (inout Value, Place) -> Void,
        new: () -> Element?,
        insert: (inout Value, Element) -> Void
    ) {
        guard offset >= 0 else {
            if let place = find(root[keyPath: path]) {
                body(&root[keyPath: path], place)
            } else if let element = new() {
                insert(&root[keyPath: path], element)
            }
            return
        }
        modify(&root) { value in
            if let place = find(value) {
                body(&value, place)
            } else if let element = new() {
                insert(&value, element)
            }
        }
    }
}
