// SPDX-License-Identifier: Apache-2.0

extension ActionSource {
    /// The file, as `#fileID` gives it: module and file name. Built when read.
    public var file: String {
        text?.file ?? String(decoding: staticFile, as: UTF8.self)
    }

    /// The function that made the call. Built when read.
    public var function: String {
        text?.function ?? String(decoding: staticFunction, as: UTF8.self)
    }

    /// The line of the call in its file, from 1.
    public var line: UInt {
        text?.line ?? UInt(packed & 0xFFFF_FFFF)
    }

    /// Anything the dispatcher wanted to add.
    public var info: String? {
        text?.info
    }

    /// Where static texts lie, and how long they are; true as long as the program runs.
    package struct StaticIdentity: Sendable, Equatable {
        package let file, function: UInt
        let lengths: UInt64
    }

    /// Nil when the texts were made at run time.
    package var staticIdentity: StaticIdentity? {
        text == nil ? StaticIdentity(file: fileAddress, function: functionAddress, lengths: packed >> 32) : nil
    }

    private var staticFile: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bitPattern: fileAddress), count: Int((packed >> 32) & 0xFFFF))
    }

    private var staticFunction: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bitPattern: functionAddress), count: Int(packed >> 48))
    }

    /// Calls `body` with the UTF-8 of the file, without a copy for text in the binary.
    private func withFile<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard let text else { return body(staticFile) }
        var file = text.file
        return file.withUTF8(body)
    }

    private func withFunction<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard let text else { return body(staticFunction) }
        var function = text.function
        return function.withUTF8(body)
    }
}

extension ActionSource: Hashable {
    /// Whether both name the same place: by text, not by where the text is stored.
    public static func == (lhs: ActionSource, rhs: ActionSource) -> Bool {
        if lhs.fileAddress == rhs.fileAddress, lhs.functionAddress == rhs.functionAddress,
            lhs.packed == rhs.packed, lhs.text === rhs.text
        {
            return true
        }
        return lhs.line == rhs.line && lhs.info == rhs.info
            && lhs.withFile { left in rhs.withFile { left.elementsEqual($0) } }
            && lhs.withFunction { left in rhs.withFunction { left.elementsEqual($0) } }
    }

    /// Hashes the texts, so that sources which are equal hash the same wherever their texts are stored.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(info)
        withFile { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
        withFunction { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension ActionSource: Codable {
    private enum CodingKeys: String, CodingKey {
        case file, function, line, info
    }

    /// Reads `file`, `function`, `line` and, when it is there, `info`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            file: try container.decode(String.self, forKey: .file),
            function: try container.decode(String.self, forKey: .function),
            line: try container.decode(UInt.self, forKey: .line),
            info: try container.decodeIfPresent(String.self, forKey: .info)
        )
    }

    /// Writes `file`, `function`, `line` and, unless it is nil, `info`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
        try container.encode(function, forKey: .function)
        try container.encode(line, forKey: .line)
        try container.encodeIfPresent(info, forKey: .info)
    }
}

extension ActionSource: CustomStringConvertible {
    /// `file:line function`, then the info if there is one.
    public var description: String {
        let place = "\(file):\(line) \(function)"
        guard let info else { return place }
        return "\(place) (\(info))"
    }
}
