// SPDX-License-Identifier: Apache-2.0

extension ActionSource {
    /// The file as in `#fileID`: module and file name. The string is built at each read.
    public var file: String {
        text?.file ?? String(decoding: staticFile, as: UTF8.self)
    }

    /// The function that contains the call. The string is built at each read.
    public var function: String {
        text?.function ?? String(decoding: staticFunction, as: UTF8.self)
    }

    /// The line of the call in its file, from 1.
    public var line: UInt {
        text?.line ?? UInt(packed & 0xFFFF_FFFF)
    }

    /// Additional information from the dispatcher, if any.
    public var info: String? {
        text?.info
    }

    private var staticFile: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bitPattern: fileAddress), count: Int((packed >> 32) & 0xFFFF))
    }

    private var staticFunction: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bitPattern: functionAddress), count: Int(packed >> 48))
    }

    /// Calls `body` with the UTF-8 bytes of the file, without a copy if the text is in the binary.
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
    /// Whether both sources have equal texts, lines and infos, wherever the texts are stored.
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

    /// Hashes the texts, so that equal sources have equal hashes wherever their texts are stored.
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

    /// Decodes `file`, `function`, `line` and, if present, `info`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            file: try container.decode(String.self, forKey: .file),
            function: try container.decode(String.self, forKey: .function),
            line: try container.decode(UInt.self, forKey: .line),
            info: try container.decodeIfPresent(String.self, forKey: .info)
        )
    }

    /// Encodes `file`, `function`, `line` and, unless it is nil, `info`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
        try container.encode(function, forKey: .function)
        try container.encode(line, forKey: .line)
        try container.encodeIfPresent(info, forKey: .info)
    }
}

extension ActionSource: CustomStringConvertible {
    /// The text `file:line function`, followed by the info in parentheses if there is one.
    public var description: String {
        let place = "\(file):\(line) \(function)"
        guard let info else { return place }
        return "\(place) (\(info))"
    }
}
