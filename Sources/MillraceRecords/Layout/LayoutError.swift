// SPDX-License-Identifier: Apache-2.0

/// Why the memory of a type's values cannot be written to a file as it is.
public struct LayoutError: Error, Hashable, Sendable {
    /// The field, from the type down: `Order.note.pointer`. A case of an enum is a step, too.
    public let path: String
    /// The type of that field.
    public let type: String
    /// What is wrong with it.
    public let reason: Reason

    /// Why a field cannot be written as it is in memory.
    public enum Reason: Hashable, Sendable {
        /// The field is an address, which means nothing in another process: a pointer, a class, a closure, a value of
        /// a protocol type or a type.
        case reference
        /// The type comes from C: Swift's metadata do not describe its unions and bit fields.
        case importedFromC
        /// The compiler left out the descriptions of the type's fields, or the type has none.
        case unknownFields
        /// The tags of the enum are not where they were expected.
        case unknownTags
    }
}

extension LayoutError: CustomStringConvertible {
    /// A text that says what happened, and how to correct it.
    public var description: String {
        let what =
            switch reason {
            case .reference: "it is or holds an address, which means nothing in another process"
            case .importedFromC: "it comes from C, where unions and bit fields cannot be seen"
            case .unknownFields:
                "its fields are not known (a type of the runtime, or compiled without reflection metadata)"
            case .unknownTags: "where it stores the tags of its cases is not known"
            }
        return """
            The field '\(path)' of type '\(type)' cannot be written as it is in memory: \(what). Store a number or a \
            fixed-size value in its place, or use the codec '.codable(version:)'.
            """
    }
}
