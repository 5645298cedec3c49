// SPDX-License-Identifier: Apache-2.0

/// Options of which only the last would count, and the file of an earlier one would not be written.
enum RepeatedOption {
    static let files: Set = ["--report", "--trace", "--hgrm", "--prometheus", "--recorder", "--log"]

    /// The first option that names a file for the second time.
    static func first(in arguments: some Sequence<String>) -> String? {
        var seen: Set<String> = []
        for argument in arguments.prefix(while: { $0 != "--" }) {
            let name = String(argument.prefix { $0 != "=" })
            if files.contains(name), !seen.insert(name).inserted { return name }
        }
        return nil
    }
}
