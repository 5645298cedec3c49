// SPDX-License-Identifier: Apache-2.0

extension ActionSource {
    /// The same place; its info ends with a note of who passed the action on.
    ///
    /// A note is made once: rules that lead in a circle do not lengthen the info for ever.
    @usableFromInline
    func noting(_ note: String) -> ActionSource {
        guard let info else { return with(info: note) }
        // With what follows a note: line 1 is not line 12.
        return "\(info), ".contains("\(note), ") ? self : with(info: "\(info), \(note)")
    }

    private func with(info: String) -> ActionSource {
        ActionSource(file: file, function: function, line: line, info: info)
    }

    /// The note of a rule that was written at a place.
    @usableFromInline
    static func note(_ verb: StaticString, file: StaticString, line: UInt) -> String {
        "\(verb) at \(file):\(line)"
    }
}
