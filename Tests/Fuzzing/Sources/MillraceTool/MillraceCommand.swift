// SPDX-License-Identifier: Apache-2.0

/// Stands for the command of the tool, whose file has the program's entry: the fuzzer has its own.
enum MillraceCommand {
    static let version = "fuzz"
}
