// SPDX-License-Identifier: Apache-2.0

import MillraceCore

// A world of two parts of two numbers each, and of a collection of two more. Every level does the same arithmetic with
// the numbers it sees, so that a tree of lifts can be compared with an interpreter that knows nothing but eight numbers
// and who sees which of them.

enum Half: Int, CaseIterable, Sendable { case first, second }

/// A state that is some numbers.
protocol Numbers: Sendable {
    var numbers: [Int] { get set }
}

/// An action for some of the numbers.
protocol Wave: Sendable {
    /// How often it may still cause others.
    var strength: Int { get }
    /// Tells actions of the same strength apart.
    var shape: Int { get }
    /// What a middleware of this level causes.
    static func echo(_ strength: Int) -> Self
}

struct World: Numbers {
    var first = Part()
    var second = Part()
    var pieces = Self.ids.map { Part(id: $0) }

    static let ids = [7, 5]

    var numbers: [Int] {
        get { first.numbers + second.numbers + pieces.flatMap(\.numbers) }
        set {
            first.numbers = Array(newValue[..<2])
            second.numbers = Array(newValue[2..<4])
            for index in pieces.indices { pieces[index].numbers = Array(newValue[(4 + 2 * index)...].prefix(2)) }
        }
    }
}

struct Part: Numbers, Identifiable {
    var id = 0
    var first = 0
    var second = 0

    var numbers: [Int] {
        get { [first, second] }
        set { (first, second) = (newValue[0], newValue[1]) }
    }
}

extension Int: Numbers {
    var numbers: [Int] {
        get { [self] }
        set { self = newValue[0] }
    }
}

enum WorldAction: Wave {
    case part(Half, PartAction)
    case everywhere(PartAction)
    case piece(ElementIDAction<Int, PartAction>)

    var inner: PartAction {
        switch self {
        case .part(_, let action), .everywhere(let action): action
        case .piece(let element): element.action
        }
    }

    var piece: ElementIDAction<Int, PartAction>? {
        get { if case .piece(let element) = self { element } else { nil } }
        set { if case .piece = self, let newValue { self = .piece(newValue) } }
    }

    var strength: Int { inner.strength }

    var shape: Int {
        switch self {
        case .part(let half, let action): 10 * (half.rawValue + 1) + action.shape
        case .everywhere(let action): 30 + action.shape
        case .piece(let element): 40 + 10 * element.id + element.action.shape
        }
    }

    func reaching(_ half: Half) -> PartAction? {
        switch self {
        case .part(let mine, let action): mine == half ? action : nil
        case .everywhere(let action): action
        case .piece: nil
        }
    }

    static func echo(_ strength: Int) -> WorldAction { .everywhere(.echo(strength)) }
}

enum PartAction: Wave {
    case number(Half, NumberAction)
    case both(NumberAction)

    var inner: NumberAction {
        switch self {
        case .number(_, let action), .both(let action): action
        }
    }

    var strength: Int { inner.strength }

    var shape: Int {
        switch self {
        case .number(let half, _): half.rawValue + 1
        case .both: 3
        }
    }

    func reaching(_ half: Half) -> NumberAction? {
        if case .number(let mine, _) = self, mine != half { return nil }
        return inner
    }

    static func echo(_ strength: Int) -> PartAction { .both(.echo(strength)) }
}

struct NumberAction: Wave {
    let strength: Int
    var shape: Int { 0 }

    static func echo(_ strength: Int) -> NumberAction { NumberAction(strength: strength) }
}

/// What a reducer of this number does to what it sees.
func stir(_ numbers: inout [Int], id: Int, strength: Int, shape: Int) {
    for place in numbers.indices {
        let next = numbers[(place + 1) % numbers.count]
        numbers[place] = numbers[place] &* 3 &+ next &+ strength &+ 7 &* shape &+ 31 &* id
    }
}

/// What a middleware of this number causes when it sees an action.
func echo(of strength: Int, id: Int) -> Int? {
    strength > 0 && (strength + id) % 3 != 0 ? strength - 1 : nil
}
