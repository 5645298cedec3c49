// SPDX-License-Identifier: Apache-2.0

/// Something that can run in the next step.
struct Candidate {
    enum Kind: UInt64 {
        case store = 1
        case thread
        case job
        case callback
        case timer
        case publication
    }

    let kind: Kind
    /// The number of the store, thread, job, callback or timer, in the order in which they were added to the world.
    let number: UInt64

    /// Identifies the candidate in this run, and in every run that took the same steps.
    var key: UInt64 { kind.rawValue << 48 | number }
}
