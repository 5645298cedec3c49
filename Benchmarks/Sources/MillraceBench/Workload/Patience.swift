// SPDX-License-Identifier: Apache-2.0

/// How the consumer of a queue waits.
///
/// A consumer that looks again at once competes with its producer for a cache line. A consumer that waits until more
/// elements are there takes many at a time, but each element some microseconds later.
enum Patience: String, CaseIterable {
    /// Looks again at once, without a wait.
    case eager
    /// Waits a little after it found nothing.
    case calm
    /// Waits a little after it found few elements.
    case patient

    /// The consumer waits after it dequeued fewer elements than this.
    var enough: Int {
        switch self {
        case .eager, .calm: 1
        case .patient: 128
        }
    }

    /// The length of a wait, in iterations of a spin loop.
    var pauses: Int {
        switch self {
        case .eager: 1
        case .calm: 64
        case .patient: 200
        }
    }
}
