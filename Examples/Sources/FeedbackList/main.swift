// SPDX-License-Identifier: Apache-2.0

// A list without an end, page by page from a server that this program starts. One page fails, and is asked for again.
// Press return to scroll or to retry; without a terminal it scrolls by itself.
//
//     swift run --package-path Examples FeedbackList

import FeedbackExamples
import MillraceFeedback

let server = try ExampleServer()
let client = ExampleClient(server: try await server.start())
let model = ViewModel(
    initial: InfiniteList(),
    feedbacks: [InfiniteList.loading(from: client.page)],
    reducer: InfiniteList.reducer
)
let widget = TerminalWidget(viewModel: model) { context in context.screen }

if let lines = typedLines() {
    for await _ in lines {
        model.send(event: .retry)
        model.send(event: .scrolledToEnd)
    }
} else {
    try await model.wait(until: "the first page comes by itself") { $0.pages == 1 }
    model.send(event: .scrolledToEnd)
    try await model.wait(until: "the second page") { $0.titles.count == 40 }
    model.send(event: .scrolledToEnd)
    try await model.wait(until: "the third page fails") { $0.status == .failed("the server says 503") }
    model.send(event: .retry)
    try await model.wait(until: "and comes at the second attempt") { $0.pages == 3 && $0.status == .idle }
    model.send(event: .scrolledToEnd)
    try await model.wait(until: "the last page") { $0.titles.count == 80 && $0.status == .complete }
}
withExtendedLifetime(widget) {}
await server.stop()
