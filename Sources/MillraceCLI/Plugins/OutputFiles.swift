// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceInstrumentation

/// The files that a run writes. They are checked before one of them is opened: no file may be an input or the same as
/// another one.
struct OutputFiles {
    private struct Output {
        var option: String
        var path: String
        var identity: OutputIdentity?
    }

    private let outputs: [Output]
    private let folder: String?

    /// - Parameter pipelinePage: The path of the pipeline's page, which belongs to `--report`.
    init(_ options: PluginOptions, pipelinePage: String? = nil) {
        folder = options.hgrm
        outputs = [
            ("--report", options.report), ("--report", pipelinePage), ("--trace", options.trace),
            ("--hgrm", options.hgrm),
            ("--prometheus", options.prometheus), ("--log", options.log), ("--recorder", options.recorder),
            // The path where a recorder keeps the file of the previous run.
            ("--recorder", options.recorder.map { $0 + ".previous" }),
        ].compactMap { option, path in
            path.map { Output(option: option, path: $0, identity: OutputIdentity(path: $0)) }
        }
    }

    /// Throws an error if two of the files are the same, or if one is an input.
    ///
    /// - Parameter inputs: The inputs as on the command line; `-` is standard input.
    func check(inputs: [String]) throws {
        for input in inputs {
            let source = InputSource(input)
            let identity = source == .standardInput ? OutputIdentity(file: 0) : OutputIdentity(path: input)
            if let output = outputs.first(where: { $0.identity != nil && $0.identity == identity }) {
                throw ValidationError(
                    "\(output.option) \(output.path) would overwrite the input, \(source.name). Choose another path."
                )
            }
            if source != .standardInput { try checkFolder("The input", input) }
        }
        var known: [OutputIdentity: Output] = [:]
        if let identity = OutputIdentity(file: 1) {
            known[identity] = Output(option: "Standard output", path: "where the report goes")
        }
        for output in outputs {
            guard let identity = output.identity else { continue }
            if let other = known.updateValue(output, forKey: identity) {
                throw ValidationError(
                    "\(other.option) (\(other.path)) and \(output.option) (\(output.path)) are one file. "
                        + "Give each a path of its own."
                )
            }
            try checkFolder(output.option, output.path)
        }
    }

    /// Throws an error if a `.hgrm` file is in the folder of `--hgrm`, which chooses the names of its files itself.
    private func checkFolder(_ what: String, _ path: String) throws {
        guard let folder, path.hasSuffix(".hgrm"), let identity = OutputIdentity(path: folder) else { return }
        if OutputIdentity.folder(of: path) == identity {
            throw ValidationError(
                "\(what) (\(path)) lies where --hgrm writes such files. Give --hgrm a folder of its own."
            )
        }
    }
}
