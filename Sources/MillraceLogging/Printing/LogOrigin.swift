// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import MillraceCore

/// The origin of a line, for printers that keep more than text.
struct LogOrigin {
    let kind: String
    let source: ActionSource
    let position: ActionPosition

    /// The metadata for swift-log. `number`, `parent` and `root` are left out if there is no store. `parent` and `root`
    /// are 0 for an action from outside. In a sharded store, each shard numbers its actions. So the metadata also have
    /// `parentShard` and `rootShard`, unless both are 0.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "kind": "\(escapedForLog(kind))",
            "file": "\(escapedForLog(source.file))",
            "line": "\(source.line)",
            "function": "\(escapedForLog(source.function))",
        ]
        if position.number > 0 {
            metadata["number"] = "\(position.number)"
            metadata["parent"] = "\(position.cause.parent)"
            metadata["root"] = "\(position.cause.root)"
            if position.cause.parentShard != 0 || position.cause.rootShard != 0 {
                metadata["parentShard"] = "\(position.cause.parentShard)"
                metadata["rootShard"] = "\(position.cause.rootShard)"
            }
        }
        return metadata
    }
}
