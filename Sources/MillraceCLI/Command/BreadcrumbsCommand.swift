// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceInstrumentation
import MillraceRuntime

/// `millrace breadcrumbs`: prints the content of a flight recorder's file.
struct BreadcrumbsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breadcrumbs",
        abstract: "Print the last actions that a flight recorder has written to a file.",
        discussion: """
            Reads the file of 'millrace run --recorder', or of a program with a FlightRecorder of its own. The program \
            may be running, or may have ended in any way, also by a crash or kill -9. The last line says whether it \
            ended normally, and if not, which action was running. 'waited' is the time in the queue. Only measured \
            actions have it: one in 16 with 'millrace run'.

            Exit codes: 0 all was read; 1 the file cannot be read, or is damaged (what can be read of it is printed); \
            64 wrong options.
            """
    )

    @Argument(help: "The file of the recorder.")
    var file: String

    func run() throws {
        Console.ignoreClosedPipes()
        let breadcrumbs: Breadcrumbs
        do {
            breadcrumbs = try Breadcrumbs(path: file)
        } catch {
            Console.complain("\(error)")
            throw ExitCode.failure
        }
        do throws(SystemError) {
            // The last line describes the damage. It is not part of the content that could be read.
            let lines = breadcrumbs.lines.dropLast(breadcrumbs.damage == nil ? 0 : 1)
            try Console.printReport(lines.map { $0 + "\n" }.joined())
        } catch {
            Console.complain("cannot write: \(error.words)")
            throw ExitCode.failure
        }
        if let damage = breadcrumbs.damage {
            Console.complain("'\(file)' is damaged: \(damage)")
            throw ExitCode.failure
        }
    }
}
