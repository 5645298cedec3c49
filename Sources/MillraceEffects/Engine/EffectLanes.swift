// SPDX-License-Identifier: Apache-2.0

/// The lanes of the tokens in use, found by their tokens. Touched while the lock of the registry is held.
///
/// Not a dictionary: that would hash the token at each look, at each insertion and at each removal. Here a tag knows its hash,
/// and an effect knows its lane. The table owns its lanes by references that it counts by hand.
final class EffectLanes: @unchecked Sendable {
    // Unchecked because of the lock.
    private typealias Bucket = Unmanaged<EffectLane>?

    private static let fewestBuckets = 8
    private static let mostSpares = 16

    /// In each bucket the first of its lanes, which are linked. Their number is a power of two, and not below `count`.
    @exclusivity(unchecked) private var buckets = EffectLanes.makeBuckets(fewestBuckets)
    @exclusivity(unchecked) private var mask = EffectLanes.fewestBuckets - 1
    @exclusivity(unchecked) private(set) var count = 0
    /// Lanes to be used again, linked, so that an effect with a token of its own need not allocate one.
    @exclusivity(unchecked) private var spare: Unmanaged<EffectLane>?
    @exclusivity(unchecked) private var spares = 0

    deinit {
        for lane in all { Unmanaged.passUnretained(lane).release() }
        while let lane = takeSpare() { lane.release() }
        buckets.deallocate()
    }

    /// All lanes; their order differs from process to process.
    var all: [EffectLane] {
        var all: [EffectLane] = []
        for index in 0...mask {
            var next = buckets[index]
            while let lane = next?.takeUnretainedValue() {
                all.append(lane)
                next = lane.next
            }
        }
        return all
    }

    func find(_ tag: EffectTag) -> EffectLane? {
        var next = buckets[tag.keyHash & mask]
        while let lane = next {
            if lane._withUnsafeGuaranteedRef({ $0.tag == tag }) { return lane.takeUnretainedValue() }
            next = lane._withUnsafeGuaranteedRef { $0.next }
        }
        return nil
    }

    /// Adds a lane for a token that has none, and puts an effect into it.
    func add(_ tag: EffectTag, running effectTask: EffectTask, isCovered: Bool) {
        if count > mask { grow() }
        let lane = takeSpare() ?? Unmanaged.passRetained(EffectLane())
        let bucket = buckets + (tag.keyHash & mask)
        lane._withUnsafeGuaranteedRef {
            $0.tag = tag
            $0.next = bucket.pointee
            $0.run(effectTask, isCovered: isCovered)
        }
        bucket.pointee = lane
        count += 1
    }

    /// Removes an empty lane, which may be gone afterwards. Returns its key, to be released after the lock: it may hold the
    /// last reference to the token.
    func remove(_ lane: Unmanaged<EffectLane>) -> EffectTag? {
        guard let tag = lane._withUnsafeGuaranteedRef({ $0.tag.take() }) else { return nil }
        let next = lane._withUnsafeGuaranteedRef { $0.next }
        let bucket = buckets + (tag.keyHash & mask)
        if bucket.pointee?.toOpaque() == lane.toOpaque() {
            bucket.pointee = next
        } else {
            var before = bucket.pointee
            while let other = before {
                before = other._withUnsafeGuaranteedRef { $0.next }
                guard before?.toOpaque() == lane.toOpaque() else { continue }
                other._withUnsafeGuaranteedRef { $0.next = next }
                break
            }
        }
        count -= 1
        if spares < Self.mostSpares {
            lane._withUnsafeGuaranteedRef { $0.next = spare }
            spare = lane
            spares += 1
        } else {
            lane.release()
        }
        return tag
    }

    private func takeSpare() -> Bucket {
        guard let lane = spare else { return nil }
        spare = lane._withUnsafeGuaranteedRef { $0.next }
        spares -= 1
        return lane
    }

    private func grow() {
        let all = all
        buckets.deallocate()
        mask = mask * 2 + 1
        buckets = Self.makeBuckets(mask + 1)
        for lane in all {
            guard let tag = lane.tag else { continue }
            let bucket = buckets + (tag.keyHash & mask)
            lane.next = bucket.pointee
            bucket.pointee = .passUnretained(lane)
        }
    }

    private static func makeBuckets(_ count: Int) -> UnsafeMutablePointer<Bucket> {
        let buckets = UnsafeMutablePointer<Bucket>.allocate(capacity: count)
        buckets.initialize(repeating: nil, count: count)
        return buckets
    }
}
