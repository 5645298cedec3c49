// SPDX-License-Identifier: Apache-2.0

public import Logging
internal import MillraceCore

/// The destination of the lines of a log.
///
/// ```swift
/// var logger = Logger(label: "app.actions")
/// logger.logLevel = .trace
/// middleware.logger(actionPrinter: .swiftLog(logger), stateDiffPrinter: .file(FileAppender(path: "state.log")))
/// ```
///
/// Printers are called on the formatting queue, one at a time for each store.
public enum LogPrinter: Sendable {
    /// A logger of swift-log. It gets the level of the action, and as metadata `kind`, `file`, `line`, `function` and,
    /// in a store, `number`, `parent` and `root`. Actions below the logger's level are not even captured.
    case swiftLog(Logger = Logger(label: "Millrace"))
    /// A file. It accepts every level.
    case file(FileAppender)
    /// A closure. It accepts every level. It is called once per action and once per change of the state. A change is
    /// one text with line breaks between its lines: a prefix that the closure adds stands before the first line only.
    /// For a prefix before each line use `prefixLines:` of the ``LoggerMiddleware/StateDiffTransform``.
    @preconcurrency case custom(@Sendable (String) -> Void)

    /// SwiftRex's name for the system's log.
    @available(*, deprecated, renamed: "swiftLog", message: "There is no os.log here")
    public static var osLog: LogPrinter { .swiftLog() }

    /// A closure that returns the lowest accepted level; nil if all levels are accepted.
    var level: (@Sendable () -> Logger.Level)? {
        guard case .swiftLog(let logger) = self else { return nil }
        // Read from the handler and not from the logger, which copies the handler for each read.
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

    /// Prints the lines of one state. A closure gets them as one text, as in SwiftRex.
    func print(_ lines: [String], at level: Logger.Level, _ origin: @autoclosure () -> LogOrigin) {
        if case .custom(let print) = self { return print(lines.joined(separator: "\n")) }
        for line in lines { print(line, at: level, origin()) }
    }

    /// Prints at `level`, or at the logger's level if that is higher, so that the text is not lost.
    func print(_ text: String, atLeast level: Logger.Level, metadata: Logger.Metadata = [:]) {
        switch self {
        case .swiftLog(let logger):
            logger.log(level: max(level, logger.logLevel), "\(text)", metadata: metadata)
        case .file(let appender): appender.append(text)
        case .custom(let print): print(text)
        }
    }

    /// Writes the buffered lines of a file. Called when no more entries wait.
    func finish() {
        if case .file(let appender) = self { appender.flush() }
    }
}
