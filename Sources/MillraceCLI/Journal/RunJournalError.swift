// SPDX-License-Identifier: Apache-2.0

import MillraceJournal

/// Why `millrace run --journal` cannot begin or go on.
enum RunJournalError: Error, Equatable {
    /// An input cannot be read.
    case input(String, String)
    /// An input that cannot be read a second time.
    case notAgain(String)
    /// The folder holds other files.
    case notAJournal(String, found: String)
    /// The journal belongs to another run.
    case otherRun(String, reason: String)
    /// The journal was written by another program.
    case otherProgram(String, kind: String)
    /// The journal cannot be used.
    case journal(JournalError)
    /// The journal failed while it was written.
    case commit(CommitError)

    /// What happened, and how to correct it.
    var words: String {
        switch self {
        case .input(let path, let reason): "cannot read '\(path)': \(reason)"
        case .notAgain(let path):
            """
            '\(path)' cannot be read again after a crash: --journal needs regular files that are not empty. Write it to a \
            file first
            """
        case .notAJournal(let path, let found):
            "'\(path)' is no journal: it holds '\(found)'. Give --journal a folder of its own; it is made if there is none"
        case .otherRun(let path, let reason):
            "the journal '\(path)' belongs to another run: \(reason), or begin anew with another folder"
        case .otherProgram(let path, let kind):
            """
            the journal '\(path)' was not written by millrace run: its first action is of the kind '\(kind)'. Give \
            --journal another folder
            """
        case .journal(.notOnDisk(let path, let system)):
            """
            '\(path)' is on \(system), which is in memory and does not survive a power cut. Give --durability process, \
            or a folder on a disk
            """
        case .journal(let error): "\(error)"
        case .commit(.journal(let error)): "\(error)"
        case .commit(let error): "\(error)"
        }
    }
}
