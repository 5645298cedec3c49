// SPDX-License-Identifier: Apache-2.0

package import MillraceFeedback

package enum TrafficLight: Sendable, Equatable {
    case red
    case redAndAmber
    case green
    case amber
    case broken

    package enum Event: Sendable, Equatable {
        case timeIsUp
        case fault
        case repaired
    }

    package static func reduce(_ light: TrafficLight, _ event: Event) -> TrafficLight {
        switch (light, event) {
        case (_, .fault): .broken
        case (.broken, .repaired): .red
        case (.broken, .timeIsUp), (_, .repaired): light
        case (.red, .timeIsUp): .redAndAmber
        case (.redAndAmber, .timeIsUp): .green
        case (.green, .timeIsUp): .amber
        case (.amber, .timeIsUp): .red
        }
    }

    /// How long the light stays as it is; nil: until somebody comes.
    package var time: Duration? {
        switch self {
        case .red, .green: .milliseconds(600)
        case .redAndAmber, .amber: .milliseconds(200)
        case .broken: nil
        }
    }

    /// Waits, then changes the light. A fault cancels the wait.
    package static let changing = Feedback<TrafficLight, Event>(
        skippingRepeated: { light in light.time.map { _ in light } },
        effects: { light in .just(.timeIsUp).delay(for: light.time ?? .zero) }
    )

    package var lamps: String {
        switch self {
        case .red: "● ○ ○"
        case .redAndAmber: "● ● ○"
        case .green: "○ ○ ●"
        case .amber: "○ ● ○"
        case .broken: "○ ◐ ○"
        }
    }
}
