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

/// The log of `--log`: one line per action at or above a level, behind a gate.
struct EventLog: Sendable {
    let file: FileAppender
    let gate = Gate()
    let log = ActionLog()
    private let level: LogLevelChoice
    private let inputs: [String]

    /// - Parameters:
    ///   - inputs: The names of the inputs.
    ///   - complain: A closure that is called with the first error of writing.
    init(path: String, level: LogLevelChoice, inputs: [String], complain: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.inputs = inputs
        let isFirst = FirstTime()
        file = FileAppender(path: path) { error in
            if isFirst.now() { complain("cannot write the log: \(error)") }
        }
    }

    /// A message about lines that could not be written; nil if there are none. The first error was told when it came.
    var loss: String? {
        let lost = file.metrics.lostLines
        return lost == 0 ? nil : "\(Figures.grouped(lost)) lines of the log '\(file.path)' are lost"
    }

    /// The middleware that writes a line for each action that it sees, behind the gate.
    typealias Lines = GatedMiddleware<LoggedMiddleware<IdentityMiddleware<LogAction, LogAction, LogState>>>

    /// A middleware for one of the stores.
    var middleware: LeveledMiddleware<Lines> {
        LeveledMiddleware(
            IdentityMiddleware()
                .logger(
                    actionTransform: .custom { [inputs] action, _ in
                        "\(LogLevelChoice(of: action)) \(action.words(inputs))"
                    },
                    actionPrinter: .file(file),
                    log: log
                )
                .gated(by: gate),
            level: level
        )
    }

    /// Turns the log off, or on again, at each SIGUSR1, while the returned source lives. A line in the log says "log
    /// off" or "log on"; it comes after the lines of the actions before.
    func listen() -> any DispatchSourceSignal {
        ignoreSignal(SIGUSR1)
        let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: DispatchQueue(label: "millrace.log"))
        source.setEventHandler { [gate, log, file] in
            let words = gate.toggle().isOpen ? "log on" : "log off"
            Task {
                await log.flush()
                file.write("notice \(words)")
            }
        }
        source.resume()
        return source
    }
}

extension LogAction {
    /// Returns the text of a line for this action. An event has the numbers of its texts, which its producer has
    /// defined.
    fileprivate func words(_ inputs: [String]) -> String {
        switch self {
        case .event(let event):
            "event status=\(event.status) size=\(event.size) host=\(event.host) path=\(event.path) "
                + "method=\(event.method) minute=\(event.minute) producer=\(event.producer)"
        case .define(let definition):
            "define \(definition.dimension)=\(definition.number) producer=\(definition.producer) "
                + "text=\(definition.text.printable)"
        case .malformed(let line):
            "malformed input=\(inputs[Int(line.input)]) chunk=\(line.chunk) line=\(line.line + 1) "
                + "reason=\(line.reason.name)"
        case .chunkRead(let chunk):
            "read input=\(inputs[Int(chunk.input)]) chunk=\(chunk.chunk) lines=\(chunk.lines) pass=\(chunk.pass + 1)"
        case .began: "began a journal"
        case .inputEnded: "input ended"
        case .alert(let alert): "alert \(alert.words)"
        case .recovered(let alert): "recovered \(alert.words)"
        }
    }
}

extension Alert {
    fileprivate var words: String { "minute=\(text.printable) failures=\(failures) events=\(events)" }
}
