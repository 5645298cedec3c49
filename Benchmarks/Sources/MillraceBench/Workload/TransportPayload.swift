// SPDX-License-Identifier: Apache-2.0

/// What the transport benchmark sends: values that can be told apart, so that a sum shows whether all arrived.
protocol TransportPayload: BitwiseCopyable, Sendable {
    static func nth(_ index: Int) -> Self
    var weight: UInt64 { get }
}

extension TransportPayload {
    /// The sum over the first `count`.
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

/// As large as the rival's: eight words, all of which are written.
struct WidePayload: TransportPayload {
    let weight: UInt64
    let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    static func nth(_ index: Int) -> WidePayload {
        WidePayload(weight: UInt64(truncatingIfNeeded: index), words: (1, 2, 3, 4, 5, 6, 7))
    }
}
