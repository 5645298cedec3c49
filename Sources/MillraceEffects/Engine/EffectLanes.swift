// SPDX-License-Identifier: Apache-2.0

/// The lanes of the tokens in use, found by their tokens. Touched while the lock of the registry is held.
///
/// This is no dictionary, because a dictionary hashes a token each time it looks, adds or removes. Here a tag keeps its
/// hash, and an effect keeps the address of its lane. The table counts its references to its lanes by hand, one for
/// each lane.
final class EffectLanes: @unchecked Sendable {
    // Unchecked because of the lock.
    private typealias Bucket = Unmanaged<EffectLane>?

    private static let fewestBuckets = 8
    /// A table with more buckets than these becomes smaller when most of its lanes are gone.
    private static let mostKeptBuckets = 512
    private static let mostSpares = 16

    /// In each bucket the first of its lanes, which are linked. The number of buckets is a power of two, and not below
    /// `count`.
    @exclusivity(unchecked) private var buckets = EffectLanes.makeBuckets(fewestBuckets)
    /// The number of buckets minus 1.
    @exclusivity(unchecked) private(set) var mask = EffectLanes.fewestBuckets - 1
    @exclusivity(unchecked) private(set) var count = 0
    /// Lanes to be used again, linked: so most effects with a new token allocate no lane.
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
        let hash = tag.keyHash
        var next = buckets[hash & mask]
        while let lane = next {
            if lane._withUnsafeGuaranteedRef({ $0.hash == hash && $0.tag == tag }) { return lane.takeUnretainedValue() }
            next = lane._withUnsafeGuaranteedRef { $0.next }
        }
        return nil
    }

    /// Adds a lane for a token that has none, and puts an effect into it.
    func add(_ tag: EffectTag, running effectTask: EffectTask, isCovered: Bool) {
        if count > mask { resize(to: (mask + 1) * 2) }
        let lane = takeSpare() ?? Unmanaged.passRetained(EffectLane())
        lane._withUnsafeGuaranteedRef {
            $0.tag = tag
            $0.hash = tag.keyHash
            $0.run(effectTask, isCovered: isCovered)
        }
        link(lane)
        count += 1
    }

    /// Removes an empty lane; the caller must not use it afterwards. Returns its key, which may hold the last reference
    /// to the token: the caller releases it after the lock.
    func remove(_ lane: Unmanaged<EffectLane>) -> EffectTag? {
        guard let tag = lane._withUnsafeGuaranteedRef({ $0.tag.take() }) else { return nil }
        let next = lane._withUnsafeGuaranteedRef { $0.next }
        let bucket = buckets + lane._withUnsafeGuaranteedRef { $0.hash & mask }
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
        // There are two buckets for each lane then, so the next change comes only after many more effects.
        if mask >= Self.mostKeptBuckets, count <= mask / 8 { resize(to: (mask + 1) / 4) }
        return tag
    }

    private func takeSpare() -> Bucket {
        guard let lane = spare else { return nil }
        spare = lane._withUnsafeGuaranteedRef { $0.next }
        spares -= 1
        return lane
    }

    private func link(_ lane: Unmanaged<EffectLane>) {
        let bucket = buckets + lane._withUnsafeGuaranteedRef { $0.hash & mask }
        lane._withUnsafeGuaranteedRef { $0.next = bucket.pointee }
        bucket.pointee = lane
    }

    private func resize(to count: Int) {
        let (old, last) = (buckets, mask)
        buckets = Self.makeBuckets(count)
        mask = count - 1
        for index in 0...last {
            var next = old[index]
            while let lane = next {
                next = lane._withUnsafeGuaranteedRef { $0.next }
                link(lane)
            }
        }
        old.deallocate()
    }

    private static func makeBuckets(_ count: Int) -> UnsafeMutablePointer<Bucket> {
        let buckets = UnsafeMutablePointer<Bucket>.allocate(capacity: count)
        buckets.initialize(repeating: nil, count: count)
        return buckets
    }
}
