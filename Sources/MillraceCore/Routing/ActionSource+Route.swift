// SPDX-License-Identifier: Apache-2.0

extension ActionSource {
    /// Returns the same place with a note at the end of its info, which names the rule that passed the action on.
    ///
    /// Each note is added once, so rules that lead in a circle do not lengthen the info for ever.
    @usableFromInline
    func noting(_ note: String) -> ActionSource {
        guard let info else { return with(info: note) }
        // Compared with the separator after the note: line 1 is not line 12.
        return "\(info), ".contains("\(note), ") ? self : with(info: "\(info), \(note)")
    }

    private func with(info: String) -> ActionSource {
        ActionSource(file: file, function: function, line: line, info: info)
    }

    /// Returns the note for a rule that is written at a place.
    @usableFromInline
    static func note(_ verb: StaticString, file: StaticString, line: UInt) -> String {
        "\(verb) at \(file):\(line)"
    }
}
