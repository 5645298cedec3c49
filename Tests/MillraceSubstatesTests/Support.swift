// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceSubstates
import Synchronization

struct Tasks: SubstateType, Equatable {
    var titles: [String] = []
}

struct Counter: SubstateType, Equatable {
    var value = 0
}

/// Not Equatable.
struct Notes: SubstateType {
    var text = ""
}

enum TasksAction: ActionType, Equatable {
    case add(String), failed(String)
}

struct CounterAction: ActionType, Equatable {
    var change: Int
}

struct NotesAction: ActionType {}

struct Stranger: ActionType {}

struct Problem: Error, Equatable {}

let routes = RoutingReducer()
    .routing(TasksAction.self, to: Tasks.self) { action, tasks in
        switch action {
        case .add(let title): tasks.titles.append(title)
        case .failed(let text): tasks.titles.append("failed: \(text)")
        }
    }
    .routing(CounterAction.self, to: Counter.self) { action, counter in counter.value += action.change }
    .routing(NotesAction.self, to: Notes.self) { _, notes in notes.text += "." }

/// Keeps what it is given. Any thread.
final class Kept<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func keep(_ value: Value) { values.withLock { $0.append(value) } }
}

func text(_ action: AnyActionType?) -> String { action.map { "\($0)" } ?? "none yet" }
