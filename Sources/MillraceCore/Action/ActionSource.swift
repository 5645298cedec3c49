// SPDX-License-Identifier: Apache-2.0

/// The place in the code that dispatched an action.
///
/// ```swift
/// let source = ActionSource.here()
/// print(source.file, source.line)     // "App/Login.swift 12"
/// ```
///
/// It is the *primary* dispatcher: no map, lift, projection or erasure replaces it.
///
/// Two sources are equal when their texts (UTF-8), lines and infos are, wherever the texts are stored.
///
/// **Cost.** 32 bytes. The source of a call in your code points at the text in the binary: making or copying it
/// allocates nothing, and a `String` is only built when ``file`` or ``function`` is read. An `info`, or texts made at
/// run time, cost one allocation when the value is made.
public struct ActionSource: Sendable {
    // Addresses, not pointers: a pointer is not Sendable, text in the binary never moves.
    @usableFromInline let fileAddress: UInt
    @usableFromInline let functionAddress: UInt
    /// Line in the low 32 bits, then the two lengths in UTF-8, 16 bits each.
    @usableFromInline let packed: UInt64
    /// What does not fit above; when it is there it holds everything.
    @usableFromInline let text: SourceText?

    /// A source whose texts are static: nothing is allocated when `info` is nil.
    ///
    /// Texts over 65,535 bytes, lines over `UInt32.max` and static strings that are a single Unicode scalar without
    /// text in the binary are kept too, at the cost of an allocation.
    @inlinable
    public init(file: StaticString, function: StaticString, line: UInt, info: String? = nil) {
        if info == nil,
            file.hasPointerRepresentation, function.hasPointerRepresentation,
            file.utf8CodeUnitCount <= 0xFFFF, function.utf8CodeUnitCount <= 0xFFFF,
            line <= 0xFFFF_FFFF
        {
            self.init(
                fileAddress: UInt(bitPattern: file.utf8Start),
                functionAddress: UInt(bitPattern: function.utf8Start),
                packed: UInt64(truncatingIfNeeded: line)
                    | UInt64(truncatingIfNeeded: file.utf8CodeUnitCount) &<< 32
                    | UInt64(truncatingIfNeeded: function.utf8CodeUnitCount) &<< 48,
                text: nil
            )
        } else {
            self.init(text: SourceText(file: file.description, function: function.description, line: line, info: info))
        }
    }

    /// A source whose texts were made at run time, such as one that was decoded.
    @_disfavoredOverload
    @inlinable
    public init(file: String, function: String, line: UInt, info: String? = nil) {
        self.init(text: SourceText(file: file, function: function, line: line, info: info))
    }

    @usableFromInline
    init(text: SourceText) {
        self.init(fileAddress: 0, functionAddress: 0, packed: 0, text: text)
    }

    @inlinable
    init(fileAddress: UInt, functionAddress: UInt, packed: UInt64, text: SourceText?) {
        self.fileAddress = fileAddress
        self.functionAddress = functionAddress
        self.packed = packed
        self.text = text
    }

    /// The place of this call.
    @inlinable
    public static func here(
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> ActionSource {
        ActionSource(file: file, function: function, line: line, info: info)
    }

    /// The place that a wrapper of yours was given as `String`s.
    @_disfavoredOverload
    @inlinable
    public static func here(
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> ActionSource {
        ActionSource(file: file, function: function, line: line, info: info)
    }
}
