// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

// Readers and getters of elements: parts of an element, and places where nothing can be read.
extension LiftToElementMiddlewareTests {
    /// Keeps a reader of a stored part of its element, and reads by it.
    private struct PartReading: MiddlewareProtocol {
        let log = Recorder<String>()
        let kept = Shared<StateReader<String>?>(nil)

        mutating func bind(_ binding: MiddlewareBinding<ItemAction, Item>) {
            kept.value = binding.state.map(\.name)
        }

        func handle(action: ItemAction, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<
            ItemAction
        > {
            read("handle")
            return IO { _ in read("io") }
        }

        func read(_ place: String) {
            guard let reader = kept.value else { return }
            log.record("\(place) \(reader.withState { copy $0 }) \(reader())")
        }
    }

    @Test("a reader of a part of the element reads that part of the element of the action, before and after")
    func partOfElement() {
        let part = PartReading()
        live.value.items = [Item(id: 1, name: "one"), Item(id: 2, name: "two")]
        let bound = lift(part).bound(to: { live.value })
        let ios = [2, 1].map { bound.handle(action: .add($0, "x"), from: .a, state: { live.value }) }
        live.value.items[0].name = "uno"
        for io in ios { io.run(AnyActionHandler { _ in }) }
        #expect(part.log.all == ["handle two two", "handle one one", "io two two", "io uno uno"])
    }

    @Test("a reader of an element that is used while no action is handled stops the program, and says why")
    func readerOutside() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (suite, part) = (LiftToElementMiddlewareTests(), PartReading())
            _ = suite.lift(part).bound(to: { suite.live.value })
            part.read("outside")
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("was used while the middleware handled no action on this thread"))
    }

    /// Removes all elements, and reads by its getter on another thread.
    private struct Passing: MiddlewareProtocol {
        let live: Shared<ShopState>

        func handle(action: ItemAction, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<
            ItemAction
        > {
            live.value.items = []
            onThreads(1) { _ in _ = state() }
            return .pure()
        }
    }

    @Test("a getter that another thread uses after the element is gone stops the program, and says why")
    func getterElsewhere() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let suite = LiftToElementMiddlewareTests()
            let bound = suite.lift(Passing(live: suite.live)).bound(to: { suite.live.value })
            _ = bound.handle(action: .add(1, "x"), from: .a, state: { suite.live.value })
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("gave the getter of an element to another thread"))
    }
}
