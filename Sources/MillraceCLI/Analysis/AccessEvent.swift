// SPDX-License-Identifier: Apache-2.0

/// One parsed line, in 32 bytes without a reference: texts are named by the number their producer gave them.
struct AccessEvent: Equatable, Sendable {
    var size: UInt64
    var host: UInt32
    var path: UInt32
    var minute: UInt32
    var method: UInt16
    var status: UInt16
    var producer: UInt16
}

/// What events are counted by, besides the status.
enum KeyDimension: UInt8, CaseIterable, Sendable {
    case host, path, minute, method
}

/// The text behind a key: any bytes.
struct KeyText: Hashable, Sendable {
    var bytes: [UInt8]

    // All bytes in one step: the standard way feeds them to the hasher one by one.
    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// A producer's number for a text it meets for the first time. It is dispatched before the first event that uses it:
/// the store keeps the order of each producer, so the reducer always knows the number.
struct KeyDefinition: Equatable, Sendable {
    var text: KeyText
    /// 1, 2, 3 … per producer and dimension; 0 stands for everything that did not fit.
    var number: UInt32
    var producer: UInt16
    var dimension: KeyDimension
}

/// A line that is no event.
struct MalformedLine: Equatable, Sendable {
    var chunk: UInt64
    /// The number of the line in its chunk, from 0.
    var line: UInt32
    var reason: MalformedReason
    /// The number of the input, in the order of the command line.
    var input: UInt32 = 0
}

/// A chunk that has been read to its end; its malformed lines came before.
struct ChunkSummary: Equatable, Sendable {
    var chunk: UInt64
    var lines: UInt32
    var input: UInt32
    var pass: UInt32
}

/// What producers, and the middlewares of a run, tell the store.
enum LogAction: Equatable, Sendable {
    case event(AccessEvent)
    case define(KeyDefinition)
    case malformed(MalformedLine)
    case chunkRead(ChunkSummary)
    /// All that producers dispatch was dispatched.
    case inputEnded
    case alert(Alert)
    /// The minute has recovered: more requests came, and fewer of them failed.
    case recovered(Alert)
}
