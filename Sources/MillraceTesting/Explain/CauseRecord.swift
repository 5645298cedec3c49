// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// An action as a ``CauseRecorder`` has recorded it. The action itself is not included.
public struct CauseRecord: Sendable, Hashable {
    /// The number of the action in its store, or in its shard.
    public let number: UInt64
    /// The shard that handled it; 0 in a store without shards.
    public let shard: UInt16
    /// The kind: the name of the enum case, or the name of the type.
    public let kind: String
    /// What caused the action.
    public let cause: ActionCause
    /// The place that dispatched the action.
    public let source: ActionSource

    /// Whether the action came from outside: no action caused it.
    public var isFromOutside: Bool { cause.parent == 0 }

    /// Creates the record of an action.
    public init(number: UInt64, shard: UInt16 = 0, kind: String, cause: ActionCause, source: ActionSource) {
        self.number = number
        self.shard = shard
        self.kind = kind
        self.cause = cause
        self.source = source
    }
}

extension CauseRecord: CustomStringConvertible {
    /// One line: `12 loaded, Loader.swift:40`, with the shard if it is not 0.
    public var description: String {
        let file = source.file.split(separator: "/").last.map(String.init) ?? source.file
        return "\(Self.place(number, shard)) \(kind), \(file):\(source.line)"
    }

    static func place(_ number: UInt64, _ shard: UInt16) -> String {
        shard == 0 ? "\(number)" : "\(number) of shard \(shard)"
    }
}
