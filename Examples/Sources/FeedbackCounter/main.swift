// SPDX-License-Identifier: Apache-2.0

// A counter as a feedback loop. Type +, -, 0 or a step; without a terminal it counts by itself.
//
//     swift run --package-path Examples FeedbackCounter

import FeedbackExamples
import MillraceFeedback

let model = CounterViewModel()
let widget = TerminalWidget(viewModel: model) { context in context.screen }

if let lines = typedLines() {
    print("+ | - | 0 | a number: the step | Ctrl-D")
    for await line in lines {
        switch line {
        case "+": model.send(event: .increment)
        case "-": model.send(event: .decrement)
        case "0": model.send(event: .reset)
        default: if let step = Int(line) { model.mutate(keyPath: \.step, value: step) }
        }
    }
} else {
    for _ in 0..<3 {
        model.send(event: .increment)
        try await Task.sleep(for: .milliseconds(50))
    }
    model.mutate(keyPath: \.step, value: 4)
    model.send(event: .increment)
    try await model.wait(until: "three steps of one, and one of four") { $0.count == 7 }
    model.send(event: .increment)
    try await model.wait(until: "past the limit it begins anew") { $0.count == 0 }
}
withExtendedLifetime(widget) {}
