// SPDX-License-Identifier: Apache-2.0

/// The events that a ``TraceFile`` keeps when there is not enough room for all.
public enum TraceKeep: Sendable {
    /// The last events: at least as many as fill half of the room, at most as many as fill it.
    case last
    /// The first events: once the file is full, it does not change any more.
    case first
    /// The events around a stall: the last ones before it, in a quarter to a half of the room, and the following ones
    /// until the file is full. While no stall has been noted, it keeps the last events.
    case around(TraceStall)
}
