// SPDX-License-Identifier: Apache-2.0

/// What became of the writer of an ``EventRing``.
public enum EventRingWriter: Sendable, Hashable {
    /// It is alive.
    case running
    /// It came to its end as it should: the ring was released, or ``EventRing/end()`` called.
    case ended
    /// It is gone, and did not say so: its process was killed, crashed, or left with `exit` while it had the ring. Also
    /// of a file that was copied while its writer ran.
    case lost
}
