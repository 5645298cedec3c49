// SPDX-License-Identifier: Apache-2.0

/// An element of the transport benchmark. Its values differ, so that a sum shows whether all have arrived.
protocol TransportPayload: BitwiseCopyable, Sendable {
    static func nth(_ index: Int) -> Self
    var weight: UInt64 { get }
}

extension TransportPayload {
    /// Returns the sum of the weights of the first `count` elements.
    static func totalWeight(_ count: Int) -> UInt64 {
        (0..<count).reduce(into: 0) { $0 &+= nth($1).weight }
    }
}

extension AppAction: TransportPayload {
    var weight: UInt64 {
        switch self {
        case .counter: 1
        case .tick(let number): UInt64(truncatingIfNeeded: number)
        }
    }
}

/// A payload as large as that of the rival: eight words, all of which are written.
struct WidePayload: TransportPayload {
    let weight: UInt64
    let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    static func nth(_ index: Int) -> WidePayload {
        WidePayload(weight: UInt64(truncatingIfNeeded: index), words: (1, 2, 3, 4, 5, 6, 7))
    }
}
