// SPDX-License-Identifier: Apache-2.0

public import MillraceRuntime

/// What a ``FlightRecorder`` holds, or has left in a file.
///
/// ```swift
/// let breadcrumbs = try Breadcrumbs(path: "flight.ring")
/// print(breadcrumbs.lines.joined(separator: "\n"))
/// ```
public struct Breadcrumbs: Sendable {
    /// Which process wrote them, and when it began.
    public let origin: EventRingOrigin
    /// Whether the recorder is still writing, or how it came to its end.
    public let writer: EventRingWriter
    /// The actions, the oldest first. If the ``writer`` is lost, the last one is that which was running, or had just
    /// been finished.
    public let actions: [Breadcrumb]
    /// Actions that were overwritten in the course of things.
    public let overwritten: UInt64
    /// Actions that could not be read because they were being written at that moment.
    public let torn: UInt64
    /// What is wrong with the file; nil: nothing.
    public let damage: String?

    /// Those of a snapshot.
    init(_ snapshot: EventRingSnapshot, damage: String? = nil) {
        origin = snapshot.origin
        writer = snapshot.writer
        overwritten = snapshot.overwritten
        torn = snapshot.torn
        self.damage = damage
        actions = snapshot.entries.map { entry in
            Breadcrumb(
                number: entry[1],
                kind: snapshot.text(entry[4] >> 32),
                file: snapshot.text(entry[5] >> 32),
                function: snapshot.text(entry[5] & 0xFFFF_FFFF),
                line: UInt(entry[4] & 0xFFFF_FFFF),
                time: snapshot.origin.nanosecondsSince1970(at: Ticks(rawValue: entry[0])),
                nanosecondsQueued: entry[6],
                parent: entry[2],
                root: entry[3]
            )
        }
    }

    /// Reads a file, while its process runs or after it ended. Of a damaged one, what can be read: see ``damage``.
    /// - Throws: What `EventRingFile` throws when there is nothing to be read, and when the file is another program's
    /// ring.
    public init(path: String) throws(EventRingError) {
        var (found, damage): (EventRingSnapshot, String?)
        do {
            (found, damage) = (try EventRingFile.read(path), nil)
        } catch .damaged(_, let reason, let partial) {
            (found, damage) = (partial, reason)
        }
        guard found.entries.allSatisfy({ $0.count == Breadcrumb.words }) else {
            throw .notARing(path: path)
        }
        self.init(found, damage: damage)
    }
}
