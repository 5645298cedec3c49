// SPDX-License-Identifier: Apache-2.0

/// One parsed line, in 32 bytes without references. A text is represented by the number that its producer gave it.
struct AccessEvent: Equatable, Sendable {
    var size: UInt64
    var host: UInt32
    var path: UInt32
    var minute: UInt32
    /// What the page of the log counts besides: user agent, referer and virtual host together. 0 if there is no page.
    var client: UInt32 = 0
    var method: UInt16
    var status: UInt16
    var producer: UInt16
}

/// The fields that events are counted by, besides the status.
enum KeyDimension: UInt8, CaseIterable, Sendable {
    case host, path, minute, method
    /// A ``ClientText``.
    case client
}

/// The text of a key. It may contain any bytes.
struct KeyText: Hashable, Sendable {
    var bytes: [UInt8]

    // Hashes all bytes in one step. The default implementation would hash them one by one.
    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// The number that a producer gives to a new text. The producer dispatches it before the first event that uses the
/// number. The store keeps the order of each producer, so the reducer always knows the number.
struct KeyDefinition: Equatable, Sendable {
    var text: KeyText
    /// 1, 2, 3 … per producer and dimension. 0 stands for all texts that did not fit.
    var number: UInt32
    var producer: UInt16
    var dimension: KeyDimension
}

/// A line that is not an event.
struct MalformedLine: Equatable, Sendable {
    var chunk: UInt64
    /// The number of the line in its chunk, from 0.
    var line: UInt32
    var reason: MalformedReason
    /// The number of the input, in the order of the command line.
    var input: UInt32 = 0
}

/// A chunk that has been read to its end. Its malformed lines were dispatched before.
struct ChunkSummary: Equatable, Sendable {
    var chunk: UInt64
    /// All lines of the chunk: events, malformed lines and directives.
    var lines: UInt32
    var input: UInt32
    var pass: UInt32
    /// The lines that are neither events nor malformed: those that begin with `#` in the W3C format.
    var directives: UInt32 = 0
}

/// The actions that producers and the middlewares of a run dispatch.
enum LogAction: Equatable, Sendable {
    /// The first action of a journal: what is counted, and how. Boxed, so that an action is not larger than an event.
    indirect case began(RunDescription)
    case event(AccessEvent)
    case define(KeyDefinition)
    case malformed(MalformedLine)
    case chunkRead(ChunkSummary)
    /// All producers have dispatched all their actions.
    case inputEnded
    case alert(Alert)
    /// The minute has recovered: more requests came, and a smaller share of them failed.
    case recovered(Alert)
}
