// SPDX-License-Identifier: Apache-2.0
//
// What the compositions of scripts/lift-check.sh lift.

import MillraceCore

enum PartAction: Sendable {
    case go
}

struct Part: MiddlewareProtocol {
    func handle(
        action: PartAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>
    ) -> IO<PartAction> { .pure() }
}

struct World: Sendable {
    var number = 0
}

struct AppState: Sendable {
    var a = 0
    var b = 0
    var c = 0
    var d = 0
    var e = 0
    var f = 0
    var g = 0
    var h = 0
}

enum AppAction: Sendable {
    case a(PartAction)
    case b(PartAction)

    var a: PartAction? { if case .a(let action) = self { action } else { nil } }
    var b: PartAction? { if case .b(let action) = self { action } else { nil } }
}

typealias Erased = AnyMiddleware<AppAction, AppAction, AppState>
typealias Composed = ComposedMiddleware<AppAction, AppAction, AppState>
