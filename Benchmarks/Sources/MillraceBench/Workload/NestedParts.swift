// SPDX-License-Identifier: Apache-2.0

/// An action that holds an inner one.
enum Wrapped<Action: Sendable>: Sendable {
    case inner(Action)
    case other

    var inner: Action? {
        if case .inner(let action) = self { action } else { nil }
    }
}

/// A state that holds an inner one.
struct Level<Inner: Sendable>: Sendable {
    var inner: Inner
    var others = 0
}

/// A state that may hold an inner one.
struct Maybe<Inner: Sendable>: Sendable {
    var inner: Inner?
    var others = 0
}

typealias Wrapped1 = Wrapped<Int>
typealias Wrapped2 = Wrapped<Wrapped1>
typealias Wrapped3 = Wrapped<Wrapped2>
typealias Wrapped4 = Wrapped<Wrapped3>
typealias Wrapped5 = Wrapped<Wrapped4>
typealias Wrapped6 = Wrapped<Wrapped5>
typealias Wrapped7 = Wrapped<Wrapped6>
typealias Wrapped8 = Wrapped<Wrapped7>

typealias Level1 = Level<Int>
typealias Level2 = Level<Level1>
typealias Level3 = Level<Level2>
typealias Level4 = Level<Level3>
typealias Level5 = Level<Level4>
typealias Level6 = Level<Level5>
typealias Level7 = Level<Level6>
typealias Level8 = Level<Level7>

typealias Maybe1 = Maybe<Int>
typealias Maybe2 = Maybe<Maybe1>
typealias Maybe3 = Maybe<Maybe2>
typealias Maybe4 = Maybe<Maybe3>
typealias Maybe5 = Maybe<Maybe4>
typealias Maybe6 = Maybe<Maybe5>
typealias Maybe7 = Maybe<Maybe6>
typealias Maybe8 = Maybe<Maybe7>

/// Values of nested types.
enum Nested {
    static var action4: Wrapped4 { .inner(.inner(.inner(.inner(1)))) }
    static var action8: Wrapped8 { .inner(.inner(.inner(.inner(action4)))) }
    static var state4: Level4 { Level(inner: Level(inner: Level(inner: Level(inner: 0)))) }
    static var state8: Level8 { Level(inner: Level(inner: Level(inner: Level(inner: state4)))) }
}
