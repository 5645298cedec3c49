// SPDX-License-Identifier: Apache-2.0

/// What a figure must reach: at most so much.
struct Target: Encodable {
    enum Figure: String, Encodable {
        case nanoseconds, ratio, mallocs
        /// Of latencies, in nanoseconds.
        case p50, p999
        case amount
    }

    let figure: Figure
    let atMost: Double
}
