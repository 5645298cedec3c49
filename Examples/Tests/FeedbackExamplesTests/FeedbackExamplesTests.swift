// SPDX-License-Identifier: Apache-2.0

import FeedbackExamples
import Foundation
import MillraceFeedback
import MillraceTesting
import Synchronization
import Testing

/// The examples of feedback loops: their machines on a simulated clock, and against the server that they start.
@Suite("Examples of feedback loops", .timeLimit(.minutes(3)))
struct FeedbackExamplesTests {
    @Test("the counter begins anew past its limit, and its step is set past the reducer")
    func counter() {
        let model = CounterViewModel(scheduler: .caller)
        for _ in 0..<10 { model.send(event: .increment) }
        #expect(model.currentState.count == 10)
        model.send(event: .increment)
        #expect(model.currentState.count == 0)
        let context = Context(state: model.currentState, viewModel: model)
        context.binding(for: \.step).wrappedValue = 3
        context.action(for: .decrement)()
        #expect(model.currentState == Counter(count: -3, step: 3))
    }

    @Test("the traffic light takes its time, and a fault stops it")
    func trafficLight() throws {
        let world = SimulatedWorld(seed: 1)
        let model = ViewModel(
            initial: TrafficLight.red,
            feedbacks: [TrafficLight.changing],
            scheduler: .simulated(in: world),
            reducer: TrafficLight.reduce
        )
        try world.advance(by: .milliseconds(599))
        #expect(model.currentState == .red)
        try world.advance(by: .milliseconds(1))
        #expect(model.currentState == .redAndAmber)
        try world.advance(by: .milliseconds(200))
        #expect(model.currentState == .green)
        world.thread("somebody") { model.send(event: .fault) }
        try world.advance(by: .seconds(10))
        #expect(model.currentState == .broken)
        world.thread("somebody") { model.send(event: .repaired) }
        try world.advance(by: .milliseconds(600))
        #expect(model.currentState == .redAndAmber)
    }

    @Test("the form asks once for each pause in typing, and never of an older name")
    func signIn() throws {
        let asked = Asked()
        try SimulatedWorld.explore(seeds: 0..<300) { world in
            let model = ViewModel(
                initial: SignIn(),
                feedbacks: [
                    SignIn.checking { name in
                        asked.add(name)
                        return name != "ada"
                    },
                    SignIn.submitting { _, _ in },
                ],
                scheduler: .simulated(in: world),
                reducer: SignIn.reducer
            )
            let clock = world.clock
            world.task("user") {
                for name in ["a", "ad", "ada"] {
                    model.send(event: .typed(name: name))
                    try await clock.sleep(for: .milliseconds(100))
                }
                try await clock.sleep(for: .milliseconds(400))
                model.send(event: .typed(name: "adam"))
                model.mutate(keyPath: \.password, value: "12345678")
                model.send(event: .submit)
                try await clock.sleep(for: .milliseconds(400))
                model.send(event: .submit)
            }
            try world.run()
            guard asked.take() == ["ada", "adam"] else { throw NotTrueHere() }
            guard model.currentState.status == .signedIn else { throw NotTrueHere() }
        }
    }

    @Test("the list loads page after page from the server, and the page that failed again")
    func list() async throws {
        let server = try ExampleServer()
        let client = ExampleClient(server: try await server.start())
        let model = ViewModel(
            initial: InfiniteList(),
            feedbacks: [InfiniteList.loading(from: client.page)],
            reducer: InfiniteList.reducer
        )
        try await model.wait(until: "page 1") { $0.pages == 1 }
        // Two at once: one page.
        model.send(event: .scrolledToEnd)
        model.send(event: .scrolledToEnd)
        try await model.wait(until: "page 2") { $0.pages == 2 }
        model.send(event: .scrolledToEnd)
        try await model.wait(until: "a failure") { $0.status == .failed("the server says 503") }
        model.send(event: .scrolledToEnd)
        await model.drain()
        #expect(model.currentState.status == .failed("the server says 503"))
        model.send(event: .retry)
        try await model.wait(until: "page 3") { $0.pages == 3 }
        model.send(event: .scrolledToEnd)
        try await model.wait(until: "the end") { $0.status == .complete }
        #expect(model.currentState.titles.count == 80)
        #expect(await server.requests == ["titles 0", "titles 1", "titles 2", "titles 2", "titles 3"])
        await server.stop()
    }

    @Test("the form signs in at the server, or shows why not", arguments: ["eve", "mallory"])
    func signInAtTheServer(name: String) async throws {
        let server = try ExampleServer()
        let client = ExampleClient(server: try await server.start())
        let model = ViewModel(
            initial: SignIn(password: "12345678"),
            feedbacks: [SignIn.checking(with: client.isFree), SignIn.submitting(with: client.signIn)],
            reducer: SignIn.reducer
        )
        model.send(event: .typed(name: name))
        try await model.wait(until: "the name is free") { $0.canSubmit }
        model.send(event: .submit)
        let end: SignIn.Status = name == "eve" ? .signedIn : .refused("the server says 403")
        try await model.wait(until: "\(end)") { $0.status == end }
        await server.stop()
    }
}

private struct NotTrueHere: Error {}

/// The names that a form has asked for.
private final class Asked: Sendable {
    private let names = Mutex<[String]>([])

    func add(_ name: String) { names.withLock { $0.append(name) } }

    func take() -> [String] {
        names.withLock { names in
            defer { names = [] }
            return names
        }
    }
}
