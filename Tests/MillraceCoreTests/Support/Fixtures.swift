// SPDX-License-Identifier: Apache-2.0

import MillraceCore

enum AuthAction: Hashable, Codable, Sendable {
    case logIn(String)
    case logOut
}

enum ListAction: Hashable, Sendable {
    case append(Int)
    case clear
}

/// With properties for its cases, as SwiftRex's code generators write them.
enum AppAction: Hashable, Sendable {
    case auth(AuthAction)
    case list(ListAction)
    case tick

    var auth: AuthAction? {
        if case .auth(let action) = self { action } else { nil }
    }

    var list: ListAction? {
        if case .list(let action) = self { action } else { nil }
    }
}

struct AuthState: Hashable, Sendable {
    var user: String?
    var visits = 0
}

struct AppState: Hashable, Sendable {
    var auth = AuthState()
    var list: [Int] = []
    var writes = 0

    /// Not stored, so that a key path to it has no offset.
    var computedAuth: AuthState {
        get { auth }
        set {
            auth = newValue
            writes += 1
        }
    }

    /// Stored, but a write through its address would not be observed.
    var observed = 0 {
        didSet { writes += 1 }
    }
}

extension ActionSource {
    static let a = ActionSource(file: "Tests/A.swift", function: "a()", line: 1)
    static let b = ActionSource(file: "Tests/B.swift", function: "b()", line: 2)
}

let authReducer = Reducer<AuthAction, AuthState>.reduce { action, state in
    switch action {
    case .logIn(let name):
        state.user = name
        state.visits += 1
    case .logOut:
        state.user = nil
    }
}

let listReducer = Reducer<ListAction, [Int]>.reduce { action, state in
    switch action {
    case .append(let number): state.append(number)
    case .clear: state = []
    }
}
