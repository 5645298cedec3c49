// SPDX-License-Identifier: Apache-2.0

/// The highest value that a figure may have.
struct Target: Encodable {
    enum Figure: String, Encodable {
        case nanoseconds, ratio, mallocs
        /// Percentiles of the latencies, in nanoseconds.
        case p50, p999
        /// The subject's percentiles divided by the rival's.
        case ratioP50, ratioP999
        case amount
    }

    let figure: Figure
    let atMost: Double
}
