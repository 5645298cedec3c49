// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Millrace
import SwiftRexDesign

/// The workload on a store with the design of SwiftRex.
@MainActor
enum SwiftRexDesignRival {
    private typealias Composed = SwiftRexDesign.ComposedMiddleware<AppAction, AppState>

    private struct First: SwiftRexDesign.Middleware {
        func handle(action: AppAction, from source: Source, state: @escaping () -> AppState)
            -> SwiftRexDesign.IO<AppAction>
        {
            .pure()
        }
    }

    private struct Second: SwiftRexDesign.Middleware {
        func handle(action: AppAction, from source: Source, state: @escaping () -> AppState)
            -> SwiftRexDesign.IO<AppAction>
        {
            .pure()
        }
    }

    private struct Third: SwiftRexDesign.Middleware {
        func handle(action: AppAction, from source: Source, state: @escaping () -> AppState)
            -> SwiftRexDesign.IO<AppAction>
        {
            .pure()
        }
    }

    private static let reducer = SwiftRexDesign.Reducer<CounterAction, Int> { action, count in
        switch action {
        case .increment: count += 1
        case .decrement: count -= 1
        }
    }
    .lift(action: \AppAction.counter, state: \AppState.count)
    .composed(
        with: SwiftRexDesign.Reducer<AppAction, AppState> { action, state in
            if case .tick(let amount) = action { state.ticks &+= amount }
        }
    )

    /// Returns a contender. If `isObserved`, a subscriber counts the states.
    static func contender(_ name: String, crew: Crew, isObserved: Bool) -> Contender {
        let current = CurrentValue(AppState())
        let observer = StateObserver()
        if isObserved { current.observe { observer.take($0) } }
        let subject = Subject(current)
        var middleware = Composed()
        middleware.append(First())
        middleware.append(Second())
        middleware.append(Third())
        let pipeline = SwiftRexDesign.Pipeline(subject: { subject }, reducer: reducer, middleware: middleware)
        return Contender(name, share: 0.1) { operations in
            let before = subject.read()
            let calls = observer.calls
            let times = crew.run { _ in
                for index in 0..<operations { pipeline.dispatch(AppAction.nth(index)) }
            }
            await withCheckedContinuation { end in DispatchQueue.main.async { end.resume() } }
            let ended = bench_now()
            try StateChange(from: before, to: subject.read()).check(StateChange(actions: operations), of: name)
            try observer.check(isObserved ? calls + operations : 0, of: name)
            return ended - times.began
        }
    }
}
