// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A stage in ``StageTimes``. 40 bytes.
@usableFromInline
package struct TimedStage {
    /// The times at which it began and ended, in ticks.
    @usableFromInline package let began: UInt64
    @usableFromInline package internal(set) var ended: UInt64 = 0
    /// A small number for a stage that every store has, or the address of a middleware's name, which is greater.
    @usableFromInline package let stage: UInt
    @usableFromInline let length: Int
    /// The stage around it.
    @usableFromInline package let outer: UnsafeMutablePointer<TimedStage>?

    @inlinable package static var reducers: UInt { 1 }
    @inlinable package static var effects: UInt { 2 }
    @inlinable package static var publication: UInt { 3 }
    @inlinable package static var journal: UInt { 4 }

    @inlinable @inline(__always)
    init(_ stage: PipelineStage, began: UInt64, in outer: UnsafeMutablePointer<TimedStage>?) {
        self.began = began
        self.outer = outer
        (self.stage, length) =
            switch stage {
            case .middleware(let name): (UInt(bitPattern: name.utf8.baseAddress), name.utf8.count)
            case .reducers: (Self.reducers, 0)
            case .effects: (Self.effects, 0)
            case .publication: (Self.publication, 0)
            case .journal: (Self.journal, 0)
            }
    }

    /// The name of the middleware.
    package var name: MiddlewareName {
        MiddlewareName(permanent: UnsafeBufferPointer(start: UnsafePointer(bitPattern: stage), count: length))
    }
}
