// SPDX-License-Identifier: Apache-2.0

/// The place in the code that dispatched an action.
///
/// ```swift
/// let source = ActionSource.here()
/// print(source.file, source.line)     // "App/Login.swift 12"
/// ```
///
/// The source always names the call that dispatched the action first. A map, a lift, a projection or a type-erased
/// handler, through which the action then goes, does not replace it.
///
/// Two sources are equal if their texts (as UTF-8), lines and infos are equal, wherever the texts are stored.
///
/// **Cost.** 32 bytes. The source of a call in your code points to text in the binary: creating or copying it allocates
/// nothing, but each read of ``file`` or ``function`` builds a `String`. A source that is created from `String`s costs
/// one allocation. A source with an `info` costs one, too, and one more for each static text over 15 bytes.
public struct ActionSource: Sendable {
    // Addresses, not pointers, because a pointer is not Sendable. Text in the binary never moves.
    @usableFromInline package let fileAddress: UInt
    @usableFromInline package let functionAddress: UInt
    /// The line in the low 32 bits, then the two lengths in UTF-8 bytes, 16 bits each.
    @usableFromInline package let packed: UInt64
    /// The whole source, if the fields above cannot hold it; otherwise nil.
    @usableFromInline package let text: SourceText?

    /// Creates a source from static texts, without an allocation if `info` is nil.
    ///
    /// Three rare cases cost the same allocations as an `info`: a text over 65,535 bytes, a line over `UInt32.max`, and
    /// a static string that is a single Unicode scalar without text in the binary.
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

    /// Creates a source from texts that were made at run time, such as a decoded source.
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

    /// Returns the place of this call.
    @_disfavoredOverload  // where both fit, the compiler takes CallSite.here(): see CallSite
    @inlinable
    public static func here(
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> ActionSource {
        ActionSource(file: file, function: function, line: line, info: info)
    }

    /// Returns a place whose file is a `String`, for a function that passes on the place of its caller.
    @_disfavoredOverload
    @inlinable
    public static func here(
        file: String,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> ActionSource {
        ActionSource(file: file, function: function, line: line, info: info)
    }
}
