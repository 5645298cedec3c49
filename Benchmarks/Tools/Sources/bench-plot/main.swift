// SPDX-License-Identifier: Apache-2.0

import Foundation
import Plot

/// Writes a picture of the figures: that of the README, or with `--cliffs` that of the section `cliffs`. With `--check` it
/// compares the picture with the file that is there.
func run() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let paths = arguments.filter { !$0.hasPrefix("--") }
    let options = Set(arguments.filter { $0.hasPrefix("--") })
    guard paths.count == 2, options.isSubset(of: ["--check", "--cliffs"]) else {
        throw PlotError("usage: bench-plot [--cliffs] FIGURES.json PICTURE.svg [--check]")
    }
    guard let json = FileManager.default.contents(atPath: paths[0]) else { throw PlotError("cannot read \(paths[0])") }
    let figures: Figures
    do {
        figures = try JSONDecoder().decode(Figures.self, from: json)
    } catch {
        throw PlotError("\(paths[0]) is not the output of 'millrace-bench --json': \(error)")
    }
    let svg = try options.contains("--cliffs") ? CliffPicture(figures).svg : Picture(figures).svg
    if options.contains("--check") {
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
