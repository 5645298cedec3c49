// SPDX-License-Identifier: Apache-2.0

/// Appends to a collection of which the compiler does not know that it can grow.
@usableFromInline
struct ElementAppender<Elements: MutableCollection>: @unchecked Sendable {
    // Unchecked: the closure captures nothing but types.
    @usableFromInline let append: (inout Elements, Elements.Element) -> Void

    /// Nil if the type is no `RangeReplaceableCollection`.
    @usableFromInline
    init?() {
        guard let growing = Elements.self as? any RangeReplaceableCollection.Type else { return nil }
        append = Self.appending(growing)
    }

    private static func appending<Growing: RangeReplaceableCollection>(
        _: Growing.Type
    ) -> (inout Elements, Elements.Element) -> Void {
        { elements, element in
            guard let element = element as? Growing.Element else { return }
            withUnsafeMutablePointer(to: &elements) { pointer in
                // The same type, so the collection is changed in place.
                UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Growing.self).pointee.append(element)
            }
        }
    }
}
