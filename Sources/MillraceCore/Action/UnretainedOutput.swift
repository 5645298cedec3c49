// SPDX-License-Identifier: Apache-2.0

/// A memory location that lends an output for one call after another, without retaining the output's target. Only code
/// that copies the output retains the target.
///
/// For one thread. This thread must keep the target alive during each call.
@usableFromInline
package struct UnretainedOutput<ActionType> {
    @usableFromInline let place: UnsafeMutablePointer<AnyActionHandler<ActionType>>
    /// The address of the sink, as it is stored in the output.
    @usableFromInline let sink: UInt64

    @usableFromInline
    package init(to sink: ActionSink<ActionType>) {
        self.sink = UInt64(UInt(bitPattern: Unmanaged.passUnretained(sink).toOpaque()))
        place = .allocate(capacity: 1)
        place.initialize(to: AnyActionHandler(sink: sink))
        // The reference stored there is not counted. Therefore it is never deinitialized either.
        Unmanaged.passUnretained(sink).release()
    }

    /// Returns the output with the given cause, which is valid until the next call.
    @inlinable @inline(__always)
    package func of(_ cause: ActionCause) -> UnsafePointer<Borrowed<AnyActionHandler<ActionType>>> {
        place.pointee.givenCause = cause
        return Borrowed.at(UnsafePointer(place))
    }

    /// The same in two stores of 16 bytes, because a copy of the output reads 16 bytes at once. After smaller stores,
    /// the processor would let that copy wait until they have left for the cache: 5 ns. More code than ``of(_:)``, so
    /// that less is inlined around it.
    @inlinable @inline(__always)
    package func ofWhole(_ cause: ActionCause) -> UnsafePointer<Borrowed<AnyActionHandler<ActionType>>> {
        #if _pointerBitWidth(_64) && _endian(little)
            let fields = UnsafeMutableRawPointer(place)
            let shards = UInt64(cause.parentShard) | UInt64(cause.rootShard) << 16
            fields.storeBytes(of: SIMD2(sink, cause.parent), as: SIMD2<UInt64>.self)
            fields.storeBytes(of: SIMD2(cause.root, shards), toByteOffset: 16, as: SIMD2<UInt64>.self)
            return Borrowed.at(UnsafePointer(place))
        #else
            return of(cause)
        #endif
    }

    /// Whether an output has the layout that ``ofWhole(_:)`` writes. For a test.
    package static var hasExpectedLayout: Bool {
        typealias Output = AnyActionHandler<ActionType>
        return MemoryLayout<Output>.offset(of: \.sink) == 0 && MemoryLayout<Output>.offset(of: \.givenCause.parent) == 8
            && MemoryLayout<Output>.offset(of: \.givenCause.root) == 16
            && MemoryLayout<Output>.offset(of: \.givenCause.parentShard) == 24
            && MemoryLayout<Output>.offset(of: \.givenCause.rootShard) == 26
            && MemoryLayout<Output>.offset(of: \.run) == 32
    }

    @usableFromInline
    package func deallocate() {
        place.deallocate()
    }
}
