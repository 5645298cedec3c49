// SPDX-License-Identifier: Apache-2.0

// A traffic light as a cold state machine: each loop runs a light of its own.
//
//     swift run --package-path Examples FeedbackTrafficLight

import FeedbackExamples
import MillraceFeedback

let light = FeedbackLoop.system(
    initial: TrafficLight.red,
    feedbacks: [TrafficLight.changing],
    reduce: TrafficLight.reduce
)
var seen: [TrafficLight] = []
for await state in light.prefix(6) {
    print(state.lamps, "", state)
    seen.append(state)
}
guard seen == [.red, .redAndAmber, .green, .amber, .red, .redAndAmber] else {
    throw NotTrue(description: "that is no traffic light: \(seen)")
}
