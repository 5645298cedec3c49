// SPDX-License-Identifier: Apache-2.0

/// The state of the writer of an ``EventRing``.
public enum EventRingWriter: Sendable, Hashable {
    /// The writer is alive.
    case running
    /// The writer ended in the regular way: the ring was released, or ``EventRing/end()`` was called.
    case ended
    /// The writer ended without marking the end: its process was killed, crashed, or called `exit` while it had the
    /// ring. A file that was copied while its writer ran has this state, too.
    case lost
}
