// SPDX-License-Identifier: Apache-2.0

/// How the consumer of a queue waits.
///
/// One that looks again at once trails right behind its producer, and both fight for a cache line. One that lets elements
/// gather takes many at a time, and each some microseconds later.
enum Patience: String, CaseIterable {
    /// Looks again at once.
    case eager
    /// Waits a little whenever it found nothing.
    case calm
    /// Waits a little whenever it found few.
    case patient

    /// A catch of fewer elements than this is followed by a wait.
    var enough: Int {
        switch self {
        case .eager, .calm: 1
        case .patient: 128
        }
    }

    /// Turns of a spin loop in a wait.
    var pauses: Int {
        switch self {
        case .eager: 1
        case .calm: 64
        case .patient: 200
        }
    }
}
