// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRecords

/// An action of the journal's scenarios. Its number is unique for its kind and producer, over all lives of the program.
struct Deed: Hashable, Sendable, CustomStringConvertible {
    enum Kind: UInt8, Sendable {
        /// Numbered by its producer. An IO notes it, and effects answer it.
        case put
        /// What the IO of a put dispatches.
        case told
        /// The answer of an effect.
        case answered
        /// From a thread, without a number of its own. Its effect is behind the gate.
        case tick
        case urgent
        /// Cancels the effect of a producer.
        case cancel
        /// An IO and an effect of the plugin note it.
        case plugged
    }

    let kind: Kind
    let producer: UInt8
    let number: UInt32

    init(_ kind: Kind, _ producer: Int = 0, _ number: Int) {
        self.kind = kind
        self.producer = UInt8(producer)
        self.number = UInt32(number)
    }

    fileprivate init(word: UInt64) throws(CodecError) {
        guard let kind = Kind(rawValue: UInt8(truncatingIfNeeded: word)) else {
            throw .notDecodable(type: "Deed", reason: "kind \(word & 255)", offset: nil)
        }
        self.kind = kind
        producer = UInt8(truncatingIfNeeded: word >> 8)
        number = UInt32(truncatingIfNeeded: word >> 16)
    }

    fileprivate var word: UInt64 { UInt64(kind.rawValue) | UInt64(producer) << 8 | UInt64(number) << 16 }

    var description: String { "\(kind) \(producer).\(number)" }
}

/// All actions, in their order.
struct Deeds: Sendable {
    var all: [Deed] = []

    static let noting = Reducer<Deed, Deeds>.reduce { deed, deeds in deeds.all.append(deed) }
}

/// Eight bytes an action, and more for some, so that frames differ in size.
struct DeedCodec: ActionCodec {
    let schema = RecordSchema(
        type: RecordType(name: "Deed", version: 1, encoding: RecordEncoding(rawValue: 300)),
        kinds: ["Deed"]
    )

    func kind(of action: Deed) -> Int { 0 }

    func encode(_ action: Deed, into output: inout RecordBuffer) throws(CodecError) {
        output.append(action.word)
        for _ in 0..<(action.number % 7) * 8 { output.append(action.word) }
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Deed {
        guard bytes.count >= 8 else { throw .notDecodable(type: "Deed", reason: "\(bytes.count) bytes", offset: nil) }
        let deed = try Deed(word: bytes.loadUnaligned(as: UInt64.self))
        guard bytes.count == 8 + Int(deed.number % 7) * 64 else {
            throw .notDecodable(type: "Deed", reason: "\(bytes.count) bytes", offset: nil)
        }
        return deed
    }
}

/// A snapshot is all actions until then.
struct DeedsCodec: ActionCodec {
    let schema = RecordSchema(
        type: RecordType(name: "Deeds", version: 1, encoding: RecordEncoding(rawValue: 301)),
        kinds: ["Deeds"]
    )

    func kind(of action: Deeds) -> Int { 0 }

    func encode(_ action: Deeds, into output: inout RecordBuffer) throws(CodecError) {
        for deed in action.all { output.append(deed.word) }
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Deeds {
        var deeds = Deeds()
        for place in stride(from: 0, to: bytes.count, by: 8) {
            deeds.all.append(try Deed(word: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
        }
        return deeds
    }
}
