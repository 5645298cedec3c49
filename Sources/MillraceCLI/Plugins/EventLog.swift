// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceGated
import MillraceLogging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The log of `--log`: one line an action, from a level on, behind a gate.
struct EventLog: Sendable {
    let file: FileAppender
    let gate = Gate()
    let log = ActionLog()
    private let level: LogLevelChoice

    /// - Parameter complain: Told of what cannot be written, the first time.
    init(path: String, level: LogLevelChoice, complain: @escaping @Sendable (String) -> Void) {
        self.level = level
        let isFirst = FirstTime()
        file = FileAppender(path: path) { error in
            if isFirst.now() { complain("cannot write the log: \(error)") }
        }
    }

    /// A middleware for one of the stores.
    var middleware: GatedMiddleware<LoggedMiddleware<IdentityMiddleware<LogAction, LogAction, LogState>>> {
        IdentityMiddleware()
            .logger(
                actionTransform: .custom { action, _ in "\(LogLevelChoice(of: action)) \(action.words)" },
                actionPrinter: .file(file),
                actionFilter: { [level] in LogLevelChoice(of: $0) >= level },
                log: log
            )
            .gated(by: gate)
    }

    /// Turns it off, or on again, whenever SIGUSR1 comes, as long as the returned value lives.
    func listen() -> any DispatchSourceSignal {
        ignoreSignal(SIGUSR1)
        let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: DispatchQueue(label: "millrace.log"))
        source.setEventHandler { [gate] in gate.toggle() }
        source.resume()
        return source
    }
}

extension LogLevelChoice: Comparable {
    /// The level of an action.
    init(of action: LogAction) {
        self =
            switch action {
            case .event, .define: .trace
            case .chunkRead: .debug
            case .inputEnded, .recovered: .info
            case .malformed: .notice
            case .alert: .warning
            }
    }

    static func < (first: LogLevelChoice, second: LogLevelChoice) -> Bool { first.severity < second.severity }

    private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension LogAction {
    /// What a line of the log says of it. Texts are known by their numbers only.
    fileprivate var words: String {
        switch self {
        case .event(let event):
            "event status=\(event.status) size=\(event.size) host=\(event.host) path=\(event.path) "
                + "method=\(event.method) minute=\(event.minute) producer=\(event.producer)"
        case .define(let definition):
            "define \(definition.dimension)=\(definition.number) producer=\(definition.producer) "
                + "text=\(definition.text.printable)"
        case .malformed(let line): "malformed chunk=\(line.chunk) line=\(line.line) reason=\(line.reason.name)"
        case .chunkRead(let chunk): "chunk=\(chunk.chunk) lines=\(chunk.lines) input=\(chunk.input) pass=\(chunk.pass)"
        case .inputEnded: "input ended"
        case .alert(let alert): "alert minute=\(alert.minute) failures=\(alert.failures) events=\(alert.events)"
        case .recovered(let minute): "recovered minute=\(minute)"
        }
    }
}
