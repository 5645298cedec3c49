// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

/// Who made an ``EventRing``, when, and on which boot of the machine: what another process needs to make times of
/// ticks.
public struct EventRingOrigin: Sendable, Hashable {
    /// The process that made the ring.
    public let processID: Int64

    /// The boot of the machine, as `/proc/sys/kernel/random/boot_id` has it; empty where the system does not tell.
    public let bootID: String

    /// Whether the ring was made since this machine was last started. Only then can its process still run.
    public let isThisBoot: Bool

    /// When the ring was made: nanoseconds since 1970, by the clock of that machine.
    public let createdAt: UInt64

    /// The same moment, in nanoseconds of its monotonic clock.
    public let createdAtMonotonic: UInt64

    /// The same moment, in its ticks.
    public let createdAtTicks: Ticks

    /// Nanoseconds a tick, with 32 fractional bits.
    let tickRate: UInt64

    /// The moment of a stamp, in nanoseconds since 1970.
    ///
    /// Counted on from the ring's creation by a rate that was measured to about 20 parts in a million: after a day the
    /// result may be off by two seconds. Changes of the wall clock since do not count. A stamp of another boot makes no
    /// sense, and neither does the result.
    public func nanosecondsSince1970(at stamp: Ticks) -> UInt64 {
        let later = stamp >= createdAtTicks
        let ticks = later ? stamp.rawValue - createdAtTicks.rawValue : createdAtTicks.rawValue - stamp.rawValue
        let product = ticks.multipliedFullWidth(by: tickRate)
        // Wraps where a damaged file says nonsense.
        let nanoseconds = product.high << 32 | product.low >> 32
        return later ? createdAt &+ nanoseconds : createdAt &- nanoseconds
    }

    init(_ header: millrace_ring_header) {
        processID = Int64(truncatingIfNeeded: header.process)
        bootID = withUnsafeBytes(of: header.boot_id) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        isThisBoot = !bootID.isEmpty && bootID == Self.thisBootID
        createdAt = header.wall
        createdAtMonotonic = header.monotonic
        createdAtTicks = Ticks(rawValue: header.ticks)
        tickRate = header.tick_rate
    }

    private static var thisBootID: String {
        var bytes = [UInt8](repeating: 0, count: 40)
        millrace_ring_boot_id(&bytes)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
