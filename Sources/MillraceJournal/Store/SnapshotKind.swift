// SPDX-License-Identifier: Apache-2.0

/// Where the state of a snapshot comes from.
public enum SnapshotKind: Hashable, Sendable {
    /// A copy of the live state. It costs the pipeline a retain, and one copy of each collection that changes next: a
    /// long pause if one collection is large.
    case copy
    /// A second state, which another thread makes of the durable actions. It costs the memory of
    /// the state twice and the work of the reducers twice. The pipeline pays nothing for it, except after the start:
    /// both states begin as one, so the first change of each collection copies it. The state must have value semantics,
    /// and the journal must know the kinds of all actions.
    case shadow
}
