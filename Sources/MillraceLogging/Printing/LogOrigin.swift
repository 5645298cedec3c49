// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import MillraceCore

/// Where a line comes from, for who keeps more than text.
struct LogOrigin {
    let kind: String
    let source: ActionSource
    let position: ActionPosition

    /// `number`, `parent` and `root` are left out where there is no store; `parent` and `root` are 0 for an action from
    /// outside.
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
        }
        return metadata
    }
}
