// SPDX-License-Identifier: Apache-2.0

// The code of the article FeedbackLoops.md, block by block.

import Foundation
import MillraceFeedback

struct Search: Sendable, Equatable {
    var query = ""
    var titles: [String] = []
    var isLoading = false

    enum Event: Sendable {
        case typed(String)
        case found([String])
    }

    static func reduce(_ search: Search, _ event: Event) -> Search {
        var search = search
        switch event {
        case .typed(let query):
            search.query = query
            search.isLoading = !query.isEmpty
        case .found(let titles):
            search.titles = titles
            search.isLoading = false
        }
        return search
    }
}

@Sendable
func titles(matching query: String) async -> [String] {
    ["Dune", "Dune Messiah", "Solaris"].filter { $0.localizedStandardContains(query) }
}

let searching = Feedback<Search, Search.Event>(
    skippingRepeated: { $0.query.isEmpty ? nil : $0.query },
    effect: { query in .found(await titles(matching: query)) }
)

let model = ViewModel(initial: Search(), feedbacks: [searching], reducer: Search.reduce)
model.send(event: .typed("dune"))
for await search in model.state where !search.titles.isEmpty {
    print(search.titles)  // ["Dune", "Dune Messiah"]
    break
}

let blinking = FeedbackLoop.system(
    initial: false,
    feedbacks: [Feedback<Bool, Void>(effects: { _ in .just(()).delay(for: .milliseconds(20)) })],
    reduce: { isOn, _ in !isOn }
)
for await isOn in blinking.prefix(4) { print(isOn ? "on" : "off") }

let patient = Feedback<Search, Search.Event>(skippingRepeated: { $0.query.isEmpty ? nil : $0.query }) { query in
    .task { _ in .found(await titles(matching: query)) }.delay(for: .milliseconds(300))
}

model.mutate(keyPath: \.query, value: "solaris")

let widget = TerminalWidget(viewModel: model) { context in
    context.isLoading ? "\(context.query) …" : "\(context.query): \(context.titles)"
}

let end = ContinuousClock.now + .seconds(30)
while widget.text != #"solaris: ["Solaris"]"#, ContinuousClock.now < end {
    try await Task.sleep(for: .milliseconds(5))
}
guard widget.text == #"solaris: ["Solaris"]"# else { fatalError("the widget shows \(widget.text ?? "nothing")") }
let waiting = ViewModel(initial: Search(), feedbacks: [patient], reducer: Search.reduce)
waiting.send(event: .typed("dune"))
for await search in waiting.state where !search.titles.isEmpty { break }
