// SPDX-License-Identifier: Apache-2.0

// A counter as an app written for SwiftRex has it: the state in a subject, the store on the main queue.
//
//     swift run --package-path Examples Counter + + + - reset +

import Foundation
import Millrace

enum CounterAction: Sendable {
    case increment, decrement, reset
}

struct CounterState: Sendable, Equatable {
    var count = 0
    var presses = 0
}

let counterReducer = Reducer<CounterAction, CounterState>.reduce { action, state in
    state.presses += 1
    switch action {
    case .increment: state.count += 1
    case .decrement: state.count -= 1
    case .reset: state.count = 0
    }
}

/// Nobody counts further than three.
struct Limit: MiddlewareProtocol {
    func handle(
        action: CounterAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<CounterState>
    ) -> IO<CounterAction> {
        guard case .increment = action, state().count == 3 else { return .pure() }
        return IO { output in
            print("that is enough")
            output.dispatch(.reset)
        }
    }
}

// The compiler wants to read again what the base class says of itself.
final class CounterStore: ReduxStoreBase<CounterAction, CounterState>, @unchecked Sendable {
    init() {
        super.init(
            subject: .native(initialValue: CounterState()),
            reducer: counterReducer,
            middleware: Limit(),
            emitsValue: .whenDifferent
        )
    }
}

enum Button: String {
    case plus = "+"
    case minus = "-"
    case reset
}

let store = CounterStore()

// What a screen would see: a text in place of the state, buttons in place of actions.
let screen = store.projection(
    action: { (button: Button) -> CounterAction? in
        switch button {
        case .plus: .increment
        case .minus: .decrement
        case .reset: .reset
        }
    },
    state: { "count \($0.count) after \($0.presses) presses" }
)
var shown: [String] = []
let subscription = screen.statePublisher.subscribe(
    UnfailableSubscriberType(onValue: { text in
        print(text)
        MainActor.assumeIsolated { shown.append(text) }  // the store is on the main queue
    })
)

let arguments = CommandLine.arguments.dropFirst()
for text in arguments.isEmpty ? ["+", "+", "-", "+", "+", "+"] : Array(arguments) {
    guard let button = Button(rawValue: text) else {
        print("'\(text)' is no button; there are +, - and reset")
        continue
    }
    // On the main queue: when this returns, the state has changed, and the line above is printed.
    screen.dispatch(button)
}
// What middlewares dispatch comes after, in the order of the queue.
await store.drain()
subscription.unsubscribe()

// For continuous integration: the demonstration is as README.md shows it.
let counts = [0, 1, 2, 1, 2, 3, 4, 0]
if arguments.isEmpty, shown != counts.enumerated().map({ "count \($1) after \($0) presses" }) {
    print("That is not what README.md shows.")
    exit(EXIT_FAILURE)
}
