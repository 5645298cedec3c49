// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

/// The process, the time and the boot of the machine that created an ``EventRing``. Another process needs these data to
/// convert ticks to times.
public struct EventRingOrigin: Sendable, Hashable {
    /// The process that created the ring.
    public let processID: Int64

    /// The boot of the machine, as in `/proc/sys/kernel/random/boot_id`; empty if the system does not provide it.
    public let bootID: String

    /// Whether the ring was created since this machine last started. Only then can its process still run.
    public let isThisBoot: Bool

    /// The time of creation in nanoseconds since 1970, by the clock of that machine.
    public let createdAt: UInt64

    /// The time of creation in nanoseconds of that machine's monotonic clock.
    public let createdAtMonotonic: UInt64

    /// The time of creation in ticks of that machine.
    public let createdAtTicks: Ticks

    /// The nanoseconds in one tick, with 32 fractional bits.
    let tickRate: UInt64

    /// Returns the time of a stamp in nanoseconds since 1970.
    ///
    /// The time is counted from the creation of the ring, with a rate that was measured to about 20 parts in a million:
    /// a day later the result may be off by two seconds. Later changes of the wall clock are ignored. For a stamp of
    /// another boot the result is meaningless.
    public func nanosecondsSince1970(at stamp: Ticks) -> UInt64 {
        let later = stamp >= createdAtTicks
        let ticks = later ? stamp.rawValue - createdAtTicks.rawValue : createdAtTicks.rawValue - stamp.rawValue
        let product = ticks.multipliedFullWidth(by: tickRate)
        // Wraps around if a damaged file has an impossible value.
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
