// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceObservation
import Observation
import TestSupport

/// A state with members of several kinds.
struct Page: Sendable, Equatable {
    var count = 0
    var title = ""
    var items: [Int] = []
    var note = Note()
}

/// A member that is not Equatable by itself.
struct Note: Sendable {
    var text = ""
}

extension Page {
    static func == (left: Page, right: Page) -> Bool {
        left.count == right.count && left.title == right.title && left.items == right.items
    }
}

/// Changes a page.
struct Edit: Sendable {
    let change: @Sendable (inout Page) -> Void

    static func count(_ count: Int) -> Edit { Edit { $0.count = count } }
    static func title(_ title: String) -> Edit { Edit { $0.title = title } }
    static func items(_ items: [Int]) -> Edit { Edit { $0.items = items } }
}

let editing = Reducer<Edit, Page>.reduce { edit, page in edit.change(&page) }

func pageStore(
    _ page: Page = Page(),
    engine: StoreEngine = .caller,
    publication: Publication = .everyAction
) -> ReduxStoreBase<Edit, Page> {
    ReduxStoreBase(initialState: page, reducer: editing, engine: engine, publication: publication)
}

/// A store that is nothing but a subject: states come when the test says, on the thread that says it.
struct SubjectStore<State>: StoreType {
    let subject: UnfailableReplayLastSubjectType<State>

    init(_ state: State) { subject = .native(initialValue: state) }

    var statePublisher: UnfailablePublisherType<State> { subject.publisher }
    func dispatch(_ dispatchedAction: sending DispatchedAction<Never>) {}
    func push(_ state: State) { subject.subscriber.onValue(state) }
}

/// How often an observer of what `read` reads is told, until it has been told once.
@MainActor
func observe(_ read: () -> Void, onChange: @escaping @Sendable () -> Void = {}) -> Shared<Int> {
    let tellings = Shared(0)
    withObservationTracking(read) {
        tellings.update { $0 += 1 }
        onChange()
    }
    return tellings
}

/// Lets everything run that is in the main queue now.
func mainQueueTurn() async {
    await withCheckedContinuation { turn in DispatchQueue.main.async { turn.resume() } }
}

/// Runs a body on another thread and holds the calling one, so that the main queue does nothing meanwhile.
func whileBlocked(_ body: @escaping @Sendable () -> Void) {
    onThreads(1) { _ in body() }
}

/// A subscription made of what is to happen at its end.
struct Ending: SubscriptionType {
    let unsubscribed: @Sendable () -> Void

    func unsubscribe() { unsubscribed() }
}
