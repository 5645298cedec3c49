// SPDX-License-Identifier: Apache-2.0

public import Logging
internal import MillraceCore

/// Where lines of a log go.
///
/// ```swift
/// var logger = Logger(label: "app.actions")
/// logger.logLevel = .trace
/// middleware.logger(actionPrinter: .swiftLog(logger), stateDiffPrinter: .file(FileAppender(path: "state.log")))
/// ```
///
/// Called on the formatting queue, one at a time for each store.
public enum LogPrinter: Sendable {
    /// A logger of swift-log, with the level of the action, and as metadata `kind`, `file`, `line`, `function` and, in
    /// a store, `number`, `parent` and `root`. What the logger does not print at its level is not even captured.
    case swiftLog(Logger = Logger(label: "Millrace"))
    /// A file. It takes every level.
    case file(FileAppender)
    /// A closure. It takes every level, and is called once an action and once a change of a state, whose lines have
    /// line breaks between them.
    @preconcurrency case custom(@Sendable (String) -> Void)

    /// SwiftRex's name for the system's log.
    @available(*, deprecated, renamed: "swiftLog", message: "There is no os.log here")
    public static var osLog: LogPrinter { .swiftLog() }

    /// Tells the level from which on lines are taken; nil: all are.
    var level: (@Sendable () -> Logger.Level)? {
        guard case .swiftLog(let logger) = self else { return nil }
        // Not by the logger, which copies the handler whenever it is asked.
        let handler = logger.handler
        return { handler.logLevel }
    }

    func print(_ text: String, at level: Logger.Level, _ origin: @autoclosure () -> LogOrigin) {
        switch self {
        case .swiftLog(let logger):
            let origin = origin()
            logger.log(
                level: level,
                "\(text)",
                metadata: origin.metadata,
                source: "MillraceLogging",
                file: origin.source.file,
                function: origin.source.function,
                line: origin.source.line
            )
        case .file(let appender): appender.append(text)
        case .custom(let print): print(text)
        }
    }

    /// The lines of one state; a closure is given them as one text, as SwiftRex gives them.
    func print(_ lines: [String], at level: Logger.Level, _ origin: @autoclosure () -> LogOrigin) {
        if case .custom(let print) = self { return print(lines.joined(separator: "\n")) }
        for line in lines { print(line, at: level, origin()) }
    }

    /// At that level or, so that it is not lost, at that from which on the logger takes lines.
    func print(_ text: String, at level: Logger.Level, skipped: UInt64) {
        switch self {
        case .swiftLog(let logger):
            let level = max(level, logger.logLevel)
            logger.log(level: level, "\(text)", metadata: ["skipped": "\(skipped)"])
        case .file(let appender): appender.append(text)
        case .custom(let print): print(text)
        }
    }

    /// After the last line for now.
    func finish() {
        if case .file(let appender) = self { appender.flush() }
    }
}
