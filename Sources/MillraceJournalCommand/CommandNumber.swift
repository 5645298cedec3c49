// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Reads numbers of actions from a command line.
enum CommandNumber {
    /// Returns a text as a number.
    /// - Throws: `ValidationError` if the text is no number, or a negative one.
    static func parse(_ text: String) throws -> UInt64 {
        guard let number = UInt64(text) else {
            throw ValidationError("It must be a whole number, 0 or more.")
        }
        return number
    }
}
