// SPDX-License-Identifier: Apache-2.0

/// What a figure must reach: at most so much.
struct Target: Encodable {
    enum Figure: String, Encodable {
        case nanoseconds, ratio, mallocs
    }

    let figure: Figure
    let atMost: Double
}
