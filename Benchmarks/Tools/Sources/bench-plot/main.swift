// SPDX-License-Identifier: Apache-2.0

import Foundation
import Plot

/// Writes the picture of the figures, or with `--check` compares it with the file that is there.
func run() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let paths = arguments.filter { !$0.hasPrefix("--") }
    guard paths.count == 2, arguments.allSatisfy({ !$0.hasPrefix("--") || $0 == "--check" }) else {
        throw PlotError("usage: bench-plot FIGURES.json PICTURE.svg [--check]")
    }
    guard let json = FileManager.default.contents(atPath: paths[0]) else { throw PlotError("cannot read \(paths[0])") }
    let figures: Figures
    do {
        figures = try JSONDecoder().decode(Figures.self, from: json)
    } catch {
        throw PlotError("\(paths[0]) is not the output of 'millrace-bench --json': \(error)")
    }
    let svg = try Picture(figures).svg
    if arguments.contains("--check") {
        let found = FileManager.default.contents(atPath: paths[1]).map { String(decoding: $0, as: UTF8.self) }
        guard found == svg else {
            throw PlotError("\(paths[1]) is not the picture of \(paths[0]); 'make bench-plot' makes it")
        }
        print("bench-plot: \(paths[1]) is the picture of \(paths[0])")
    } else {
        try Data(svg.utf8).write(to: URL(fileURLWithPath: paths[1]))
        print("bench-plot: wrote \(paths[1])")
    }
}

do {
    try run()
} catch {
    FileHandle.standardError.write(Data("bench-plot: \(error)\n".utf8))
    exit(1)
}
