// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The middleware of a store of a run: the log, then the alerts, each only if the run has it.
///
/// Both are a part of the type of the pipeline. The pipeline of a store calls a plugin by closures, which costs more
/// than the log and the alerts themselves cost for an event.
typealias RunMiddleware = Chain<
    OptionalPart<LeveledMiddleware<EventLog.Lines>>, OptionalPart<AlertMiddleware>
>

/// A named middleware, or none.
typealias OptionalPart<Part: MiddlewareProtocol> = EitherMiddleware<
    NamedMiddleware<Part>, IdentityMiddleware<LogAction, LogAction, LogState>
>
where Part.InputActionType == LogAction, Part.OutputActionType == LogAction, Part.StateType == LogState

extension RunPlugins {
    /// The middleware of a store without plugins.
    static var noMiddleware: RunMiddleware { middleware(log: nil, alerts: nil) }

    static func middleware(log: LeveledMiddleware<EventLog.Lines>?, alerts: AlertMiddleware?) -> RunMiddleware {
        part(log, "log") <> part(alerts, "alert")
    }

    private static func part<Part>(_ part: Part?, _ name: MiddlewareName) -> OptionalPart<Part> {
        if let part { .first(part.named(name)) } else { .second(IdentityMiddleware()) }
    }
}
