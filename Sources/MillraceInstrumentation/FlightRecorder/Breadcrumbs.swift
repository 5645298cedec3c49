// SPDX-License-Identifier: Apache-2.0

public import MillraceRuntime

/// The contents of a ``FlightRecorder``, or of a recorder's file.
///
/// ```swift
/// let breadcrumbs = try Breadcrumbs(path: "flight.ring")
/// print(breadcrumbs.lines.joined(separator: "\n"))
/// ```
public struct Breadcrumbs: Sendable {
    /// The process that wrote the breadcrumbs, and when it created the recorder.
    public let origin: EventRingOrigin
    /// Whether the recorder is still writing, and how it ended if not.
    public let writer: EventRingWriter
    /// The actions, the oldest first. If the ``writer`` is lost, the last action was running, or had just been
    /// finished.
    public let actions: [Breadcrumb]
    /// The number of older actions that were overwritten, because the recorder was full.
    public let overwritten: UInt64
    /// The number of actions that could not be read because they were being written at that moment.
    public let torn: UInt64
    /// The description of the damage to the file; nil if the file is intact.
    public let damage: String?

    /// Creates the breadcrumbs from a snapshot of the ring.
    init(_ snapshot: EventRingSnapshot, damage: String? = nil) {
        origin = snapshot.origin
        writer = snapshot.writer
        overwritten = snapshot.overwritten
        torn = snapshot.torn
        self.damage = damage
        actions = snapshot.entries.map { entry in
            Breadcrumb(
                number: Breadcrumb.number(entry[1]),
                shard: Breadcrumb.shard(entry[1]),
                kind: snapshot.text(entry[4] >> 32),
                file: snapshot.text(entry[5] >> 32),
                function: snapshot.text(entry[5] & 0xFFFF_FFFF),
                line: UInt(entry[4] & 0xFFFF_FFFF),
                time: snapshot.origin.nanosecondsSince1970(at: Ticks(rawValue: entry[0])),
                nanosecondsQueued: entry[6],
                parent: Breadcrumb.number(entry[2]),
                root: Breadcrumb.number(entry[3]),
                parentShard: Breadcrumb.shard(entry[2]),
                rootShard: Breadcrumb.shard(entry[3])
            )
        }
    }

    /// Reads a file, while its process runs or after it ended. If the file is damaged, reads what is readable: see
    /// ``damage``.
    /// - Throws: The errors of `EventRingFile` if nothing can be read, and if the file is the ring of another program.
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
