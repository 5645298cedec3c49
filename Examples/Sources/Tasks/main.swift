// SPDX-License-Identifier: Apache-2.0

// A list of tasks. In a terminal the program asks for commands, and draws the list anew when it has changed. If
// standard input or output is not a terminal, the program reads the commands from standard input, and prints each
// changed list below the one before. If standard input is empty then, it runs some commands as an example.
//
//     swift run Tasks [--log]

import Foundation
import TasksApp

/// Returns tasks after 50 ms, as a server might.
struct SlowService: TaskService {
    func titles() async throws -> [String] {
        try await Task.sleep(for: .milliseconds(50))
        return ["water the plants", "grind the coffee"]
    }
}

let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
let wantsLog = CommandLine.arguments.contains("--log")
let app = TasksApp(service: SlowService()) { line in
    if wantsLog { FileHandle.standardError.write(Data("log: \(line)\n".utf8)) }
}

// The store calls this closure on its own thread, right after the action that has changed the list.
TasksTransformer.screens(of: app.store).subscribe { screen in
    if isTerminal { print("\u{1B}[2J\u{1B}[H", terminator: "") }
    print(screen.text(isColoured: isTerminal))
    print()
}
await app.settle()

/// Runs one line of input. Returns false if the line was `quit`.
func run(_ line: String) async -> Bool {
    guard let command = Command(line) else {
        print(Command.help)
        return true
    }
    let goesOn = app.run(command)
    // In a terminal the user may type while tasks are loading. A script gets the loaded list before its next command.
    if isTerminal { await app.store.drain() } else { await app.settle() }
    return goesOn
}

var lines = 0
while true {
    if isTerminal {
        print("\(Command.help)\n> ", terminator: "")
        fflush(nil)
    }
    guard let line = readLine() else { break }
    lines += 1
    if !(await run(line)) { break }
}
if lines == 0, !isTerminal {
    for line in ["add buy flour", "load", "done 1", "done 7", "show done", "show open"] {
        print("> \(line)")
        _ = await run(line)
    }
}
let report = await app.store.shutdown()
print("\(report.metrics.reduced) actions")
