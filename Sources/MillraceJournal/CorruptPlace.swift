// SPDX-License-Identifier: Apache-2.0

/// Where a journal is damaged.
public struct CorruptPlace: Hashable, Sendable {
    /// The file.
    public var path: String
    /// The byte in it.
    public var offset: Int
    /// The first action that is lost; 0 if that is not known.
    public var firstLost: UInt64
    /// The last action that is known to be lost or out of reach; 0 if that is not known.
    public var lastLost: UInt64
    /// What is wrong.
    public var reason: String

    package init(path: String, offset: Int, firstLost: UInt64 = 0, lastLost: UInt64 = 0, reason: String) {
        self.path = path
        self.offset = offset
        self.firstLost = firstLost
        self.lastLost = lastLost
        self.reason = reason
    }
}
