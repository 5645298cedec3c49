// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What a slot holds beside its action, packed into 24 bytes: its source (where it was dispatched), its cause, its
/// effect run, and a time.
///
/// The low half of `source` is the number of the source in the table of the process. The high half is called `origin`.
/// The low four bits of `link` say what `link`, `origin` and `extra` hold:
///
/// | bits | `link` | `origin` | `extra` |
/// |---|---|---|---|
/// | ``nothing`` | ``nothing``: no cause, no run | – | time |
/// | ``longCause`` | parent's number | shards of parent and root | root's number |
/// | ``shortCause`` | parent's number and shard | root's distance from the parent | time |
/// | ``run`` | the run; no cause | – | time |
/// | ``runAndCause`` | the run | root's distance from the parent | parent's number and shard |
/// | ``extended`` | a ``SlotExtension``, which holds everything | – | time |
///
/// *Time* is the ticks at the dispatch of an action that a probe may measure, else 0. A cause is *short* if it fits
/// into ``ShortCause``.
///
/// An extension costs an allocation. An action gets one in these cases only:
/// - Its source is not in the table: it was made at run time, or the table has no place for it.
/// - It has an effect run and a cause, and the cause is not short or producers stamp times.
/// - It has no run, its cause is not short, and producers stamp times.
/// - Its cause has a root but no parent, or the number of the parent is 2⁶⁰ or more.
@usableFromInline
struct SlotHeader {
    /// The number of the source in the low half, `origin` in the high half.
    @usableFromInline var source: UInt64
    @usableFromInline var link: UInt64
    @usableFromInline var extra: UInt64

    // The kinds of headers. The lowest bit is 0 in those kinds, and only in those, whose link holds a reference.
    @inlinable static var nothing: UInt64 { 0b0101 }
    @inlinable static var longCause: UInt64 { 0b0001 }
    @inlinable static var extended: UInt64 { 0b0010 }
    @inlinable static var shortCause: UInt64 { 0b0011 }
    @inlinable static var run: UInt64 { 0b0100 }
    @inlinable static var runAndCause: UInt64 { 0b0110 }
    /// The bits of `link` that say the kind.
    @inlinable static var bits: UInt64 { 0b1111 }

    @inlinable
    init(source: UInt32, origin: UInt32, link: UInt64, extra: UInt64) {
        self.source = UInt64(source) | UInt64(origin) << 32
        self.link = link
        self.extra = extra
    }

    /// Packs the parts. It may allocate, so call it before the slot is claimed.
    ///
    /// - Parameter isStamping: Whether `extra` must stay free for a time.
    @inlinable @inline(__always)
    init(_ source: ActionSource, _ cause: ActionCause, _ run: EffectRun?, isStamping: Bool) {
        let number = Self.number(of: source)
        if number != Self.none, cause.parent | cause.root == 0, run == nil {
            self.init(source: number, origin: 0, link: Self.nothing, extra: 0)
        } else if number != Self.none, run == nil, let short = ShortCause(cause) {
            self.init(source: number, origin: short.distance, link: short.parent << 4 | Self.shortCause, extra: 0)
        } else {
            self = Self.packing(number, source, cause, run, isStamping)
        }
    }

    /// Stands for the number of a source that is not in the table.
    @inlinable static var none: UInt32 { UInt32.max }

    @usableFromInline
    static func packing(
        _ number: UInt32,
        _ source: ActionSource,
        _ cause: ActionCause,
        _ run: EffectRun?,
        _ isStamping: Bool
    ) -> SlotHeader {
        let short = ShortCause(cause)
        if number != none {
            if let run {
                let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(run).toOpaque()))
                if cause == .none {
                    _ = Unmanaged.passRetained(run)
                    return SlotHeader(source: number, origin: 0, link: address | Self.run, extra: 0)
                }
                if let short, !isStamping {
                    _ = Unmanaged.passRetained(run)
                    let link = address | runAndCause
                    return SlotHeader(source: number, origin: short.distance, link: link, extra: short.parent)
                }
            } else if cause.parent != 0, cause.parent < 1 << 60, !isStamping {
                return SlotHeader(
                    source: number,
                    origin: UInt32(cause.parentShard) << 16 | UInt32(cause.rootShard),
                    link: cause.parent << 4 | longCause,
                    extra: cause.root
                )
            }
        }
        let parts = Unmanaged.passRetained(SlotExtension(source, cause, run))
        let link = UInt64(UInt(bitPattern: parts.toOpaque())) | extended
        return SlotHeader(source: number, origin: 0, link: link, extra: 0)
    }

    /// Returns a header with the same parts for one more slot. Only for a header that was made without a run.
    @inlinable
    func copied() -> SlotHeader {
        if link & Self.bits == Self.extended { Self.retain(link) }
        return self
    }

    @usableFromInline
    static func retain(_ link: UInt64) {
        _ = Unmanaged<AnyObject>.fromOpaque(address(link)).retain()
    }

    /// Releases what the header holds. Only for a header that is not in a slot.
    @inlinable
    func discard() {
        if Self.holdsReference(link) { Self.release(link) }
    }

    /// Whether `link` holds a reference to a run or to an extension.
    @inlinable @inline(__always)
    static func holdsReference(_ link: UInt64) -> Bool { link & 1 == 0 }

    @usableFromInline
    static func release(_ link: UInt64) {
        Unmanaged<AnyObject>.fromOpaque(address(link)).release()
    }

    @usableFromInline
    static func address(_ link: UInt64) -> UnsafeRawPointer {
        // Objects are aligned to 16 bytes, so the low four bits of an address are 0 and can hold the kind.
        UnsafeRawPointer(bitPattern: UInt(link & ~bits))!
    }
}

/// A cause packed into 12 bytes. That is possible if parent and root were handled by the same shard, and their numbers
/// differ by less than 2³².
@usableFromInline
struct ShortCause {
    /// The number of the parent (the high bits, 48 of them) and the shard (the low 12 bits).
    @usableFromInline let parent: UInt64
    /// The number of the parent minus the number of the root.
    @usableFromInline let distance: UInt32

    /// Packs a cause; nil if it does not fit.
    @inlinable @inline(__always)
    init?(_ cause: ActionCause) {
        // No parent is 0 if the root is neither 0 nor larger.
        guard cause.root != 0, cause.root <= cause.parent, cause.parent < 1 << 48,
            cause.parent &- cause.root <= UInt64(UInt32.max),
            cause.parentShard < 1 << 12, cause.rootShard == cause.parentShard
        else { return nil }
        self.init(
            parent: cause.parent << 12 | UInt64(cause.parentShard),
            distance: UInt32(truncatingIfNeeded: cause.parent &- cause.root)
        )
    }

    @inlinable @inline(__always)
    init(parent: UInt64, distance: UInt32) {
        self.parent = parent
        self.distance = distance
    }

    @inlinable @inline(__always)
    var cause: ActionCause {
        let shard = UInt16(truncatingIfNeeded: parent & 0xFFF)
        let number = parent >> 12
        return ActionCause(parent: number, root: number &- UInt64(distance), parentShard: shard, rootShard: shard)
    }
}

/// Holds source, cause and run of an action whose header has no room for them. It never changes, so many slots may
/// refer to it.
@usableFromInline
final class SlotExtension: Sendable {
    // Must stay the first property: `sourceOffset` is its place in the object.
    let source: ActionSource
    let cause: ActionCause
    @usableFromInline let run: EffectRun?

    /// Where a Swift object has its first property.
    @inlinable static var sourceOffset: Int { 16 }

    init(_ source: ActionSource, _ cause: ActionCause, _ run: EffectRun?) {
        self.source = source
        self.cause = cause
        self.run = run
    }
}
