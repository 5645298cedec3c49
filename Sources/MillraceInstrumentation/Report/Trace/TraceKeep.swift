// SPDX-License-Identifier: Apache-2.0

/// Which events a ``TraceFile`` keeps when there are more than it has room for.
public enum TraceKeep: Sendable {
    /// The last ones: at least as many as fill half of the room, at most as many as fill it.
    case last
    /// The first ones: once the file is full, it stays as it is.
    case first
    /// Those around a stall: the last ones before it, in a quarter to a half of the room, and what comes afterwards,
    /// until the file is full. As long as none has come, the last ones.
    case around(TraceStall)
}
