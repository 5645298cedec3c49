// SPDX-License-Identifier: Apache-2.0

/// Finds options that name a file twice. Only the last value would count, and the file of the first one would not be
/// written.
enum RepeatedOption {
    static let files: Set = ["--report", "--trace", "--hgrm", "--prometheus", "--recorder", "--log", "--journal"]

    /// Returns the first option that is given for the second time.
    static func first(in arguments: some Sequence<String>) -> String? {
        var seen: Set<String> = []
        for argument in arguments.prefix(while: { $0 != "--" }) {
            let name = String(argument.prefix { $0 != "=" })
            if files.contains(name), !seen.insert(name).inserted { return name }
        }
        return nil
    }
}
