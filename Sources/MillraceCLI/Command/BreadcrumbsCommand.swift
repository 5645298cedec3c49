// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceInstrumentation
import MillraceRuntime

/// `millrace breadcrumbs`: what a flight recorder has kept.
struct BreadcrumbsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breadcrumbs",
        abstract: "Print the last actions that a flight recorder has written to a file.",
        discussion: """
            Reads the file of 'millrace run --recorder', or of a program with a FlightRecorder of its own, while it runs \
            and after it has ended in any way, a crash or kill -9 included. The last line is the action that was running.
            """
    )

    @Argument(help: "The file of the recorder.")
    var file: String

    func run() throws {
        let breadcrumbs: Breadcrumbs
        do {
            breadcrumbs = try Breadcrumbs(path: file)
        } catch {
            Console.complain("\(error)")
            throw ExitCode.failure
        }
        do throws(SystemError) {
            try Console.printReport(breadcrumbs.lines.map { $0 + "\n" }.joined())
        } catch {
            Console.complain("cannot write: \(error.words)")
            throw ExitCode.failure
        }
    }
}
