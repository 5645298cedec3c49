// SPDX-License-Identifier: Apache-2.0

import Millrace

extension Cliff {
    /// The cost of an action whose middleware is lifted so many times, one lift around the other, and reads its part of
    /// the state in `handle`.
    static var liftsOfMiddlewares: Cliff {
        Cliff(
            "an action, a middleware lifted so deep",
            sizes: [1, 2, 4, 8],
            rule: .documented("a few calls for each lift")
        ) { size in
            switch size {
            case 1: try nanoseconds(lifted1(), Wrapped1.inner(1), Level(inner: 0))
            case 2: try nanoseconds(lifted2(), Wrapped2.inner(.inner(1)), Level(inner: Level(inner: 0)))
            case 4: try nanoseconds(lifted4(), Nested.action4, Nested.state4)
            default: try nanoseconds(lifted8(), Nested.action8, Nested.state8)
            }
        }
    }

    /// The same for lifts to optional parts, which are lifts to an element.
    static var liftsToOptionals: Cliff {
        Cliff(
            "an action, a middleware lifted to optional parts so deep",
            sizes: [1, 2, 4, 8],
            rule: .documented("each inner lift makes a getter for each action")
        ) { size in
            let maybe4 = Maybe(inner: Maybe(inner: Maybe(inner: Maybe(inner: 0))))
            return switch size {
            case 1: try nanoseconds(optional1(), Wrapped1.inner(1), Maybe(inner: 0))
            case 2: try nanoseconds(optional2(), Wrapped2.inner(.inner(1)), Maybe(inner: Maybe(inner: 0)))
            case 4: try nanoseconds(optional4(), Nested.action4, maybe4)
            default:
                try nanoseconds(
                    optional8(),
                    Nested.action8,
                    Maybe(inner: Maybe(inner: Maybe(inner: Maybe(inner: maybe4))))
                )
            }
        }
    }

    private typealias Reading = PartMiddleware.Handling<Int, Int>

    private nonisolated static func lifted1() -> some MiddlewareProtocol<Wrapped1, Wrapped1, Level1> {
        Reading()
            .lift(inputAction: \Wrapped1.inner, outputAction: Wrapped1.inner, state: \Level1.inner)
    }

    private nonisolated static func lifted2() -> some MiddlewareProtocol<Wrapped2, Wrapped2, Level2> {
        lifted1()
            .lift(inputAction: \Wrapped2.inner, outputAction: Wrapped2.inner, state: \Level2.inner)
    }

    private nonisolated static func lifted4() -> some MiddlewareProtocol<Wrapped4, Wrapped4, Level4> {
        lifted2()
            .lift(inputAction: \Wrapped3.inner, outputAction: Wrapped3.inner, state: \Level3.inner)
            .lift(inputAction: \Wrapped4.inner, outputAction: Wrapped4.inner, state: \Level4.inner)
    }

    nonisolated static func lifted8() -> some MiddlewareProtocol<Wrapped8, Wrapped8, Level8> {
        lifted4()
            .lift(inputAction: \Wrapped5.inner, outputAction: Wrapped5.inner, state: \Level5.inner)
            .lift(inputAction: \Wrapped6.inner, outputAction: Wrapped6.inner, state: \Level6.inner)
            .lift(inputAction: \Wrapped7.inner, outputAction: Wrapped7.inner, state: \Level7.inner)
            .lift(inputAction: \Wrapped8.inner, outputAction: Wrapped8.inner, state: \Level8.inner)
    }

    private static func optional1() -> some MiddlewareProtocol<Wrapped1, Wrapped1, Maybe1> {
        Reading()
            .liftToOptional(inputAction: \Wrapped1.inner, outputAction: Wrapped1.inner, state: \Maybe1.inner)
    }

    private static func optional2() -> some MiddlewareProtocol<Wrapped2, Wrapped2, Maybe2> {
        optional1()
            .liftToOptional(inputAction: \Wrapped2.inner, outputAction: Wrapped2.inner, state: \Maybe2.inner)
    }

    private static func optional4() -> some MiddlewareProtocol<Wrapped4, Wrapped4, Maybe4> {
        optional2()
            .liftToOptional(inputAction: \Wrapped3.inner, outputAction: Wrapped3.inner, state: \Maybe3.inner)
            .liftToOptional(inputAction: \Wrapped4.inner, outputAction: Wrapped4.inner, state: \Maybe4.inner)
    }

    private static func optional8() -> some MiddlewareProtocol<Wrapped8, Wrapped8, Maybe8> {
        optional4()
            .liftToOptional(inputAction: \Wrapped5.inner, outputAction: Wrapped5.inner, state: \Maybe5.inner)
            .liftToOptional(inputAction: \Wrapped6.inner, outputAction: Wrapped6.inner, state: \Maybe6.inner)
            .liftToOptional(inputAction: \Wrapped7.inner, outputAction: Wrapped7.inner, state: \Maybe7.inner)
            .liftToOptional(inputAction: \Wrapped8.inner, outputAction: Wrapped8.inner, state: \Maybe8.inner)
    }

    private static func nanoseconds<Action: Sendable, State: Sendable>(
        _ middleware: sending some MiddlewareProtocol<Action, Action, State>,
        _ action: Action,
        _ state: State
    ) throws -> Double {
        let count = Counter()
        let store = ReduxStoreBase(
            initialState: state,
            reducer: Reducer<Action, State>.reduce { _, _ in count.count &+= 1 },
            middleware: middleware,
            engine: .caller,
            publication: .onDemand
        )
        let result = dispatching(action, to: store)
        try expect(count.count, result.actions, "actions")
        return result.nanoseconds
    }
}
