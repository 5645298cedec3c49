// SPDX-License-Identifier: Apache-2.0

/// The figures of a row at one size: at one number of producers, for example.
struct Point: Encodable {
    let size: Int
    let time: Sample
    /// The subject's time divided by this contender's time, pair by pair.
    var ratio: Sample?
    var mallocs: Double?
}
