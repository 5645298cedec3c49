// SPDX-License-Identifier: Apache-2.0

// A form that validates what is typed, and asks a server whether the name is free once the user stops typing. Type a name,
// then a password; without a terminal the program types.
//
//     swift run --package-path Examples FeedbackSignIn

import FeedbackExamples
import MillraceFeedback

let server = try ExampleServer()
let client = ExampleClient(server: try await server.start())
let model = ViewModel(
    initial: SignIn(),
    feedbacks: [SignIn.checking(with: client.isFree), SignIn.submitting(with: client.signIn)],
    reducer: SignIn.reducer
)
let widget = TerminalWidget(viewModel: model) { context in context.screen }

if let lines = typedLines() {
    var isName = true
    for await line in lines {
        if isName { model.send(event: .typed(name: line)) } else { model.mutate(keyPath: \.password, value: line) }
        if !isName { model.send(event: .submit) }
        isName.toggle()
    }
} else {
    for end in 1...3 {
        model.send(event: .typed(name: String("ada".prefix(end))))
        try await Task.sleep(for: .milliseconds(30))
    }
    try await model.wait(until: "ada is taken") { $0.availability == .taken }
    for end in 4...8 {
        model.send(event: .typed(name: String("adalovely".prefix(end))))
        try await Task.sleep(for: .milliseconds(30))
    }
    model.mutate(keyPath: \.password, value: "analytical engine")
    try await model.wait(until: "the longer name is free") { $0.availability == .available && $0.canSubmit }
    model.send(event: .submit)
    try await model.wait(until: "the user is signed in") { $0.status == .signedIn }
    let requests = await server.requests
    guard requests == ["free ada", "free adalovel", "sign in adalovel"] else {
        throw NotTrue(description: "one question for each pause in typing; the server heard \(requests)")
    }
}
withExtendedLifetime(widget) {}
await server.stop()
