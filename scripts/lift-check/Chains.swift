// SPDX-License-Identifier: Apache-2.0
//
// Compositions of eight lifts, each of which the compiler must understand within 100 ms: see scripts/lift-check.sh.

import MillraceCore

func compositions() {
    let part = Part()
    let erased = Part().eraseToAnyMiddleware()
    let reader = MiddlewareReader<Int, Part> { _ in Part() }
    let reducer = Reducer<PartAction, Int>.identity
    let handler = Handler(reducer: reducer, middleware: reader)

    // Key paths that name their types: nothing else is needed.
    let keyPaths =
        part.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.a)
        <> part.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.b)
        <> part.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.c)
        <> part.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.d)
        <> part.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.e)
        <> part.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.f)
        <> part.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.g)
        <> part.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.h)

    // Key paths whose types follow from the type that is asked for.
    let composed: Composed =
        part.lift(inputAction: \.a, outputAction: AppAction.a, state: \.a)
        <> part.lift(inputAction: \.b, outputAction: AppAction.b, state: \.b)
        <> part.lift(inputAction: \.a, outputAction: AppAction.a, state: \.c)
        <> part.lift(inputAction: \.b, outputAction: AppAction.b, state: \.d)
        <> part.lift(inputAction: \.a, outputAction: AppAction.a, state: \.e)
        <> part.lift(inputAction: \.b, outputAction: AppAction.b, state: \.f)
        <> part.lift(inputAction: \.a, outputAction: AppAction.a, state: \.g)
        <> part.lift(inputAction: \.b, outputAction: AppAction.b, state: \.h)

    let opaque: some MiddlewareProtocol<AppAction, AppAction, AppState> =
        part.lift(inputAction: \.a, outputAction: AppAction.a, state: \.a)
        <> part.lift(inputAction: \.b, outputAction: AppAction.b, state: \.b)
        <> part.lift(inputAction: \.a, outputAction: AppAction.a, state: \.c)
        <> part.lift(inputAction: \.b, outputAction: AppAction.b, state: \.d)
        <> part.lift(inputAction: \.a, outputAction: AppAction.a, state: \.e)
        <> part.lift(inputAction: \.b, outputAction: AppAction.b, state: \.f)
        <> part.lift(inputAction: \.a, outputAction: AppAction.a, state: \.g)
        <> part.lift(inputAction: \.b, outputAction: AppAction.b, state: \.h)

    // Closures.
    let closures: Composed =
        part.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.a })
        <> part.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.b })
        <> part.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.c })
        <> part.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.d })
        <> part.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.e })
        <> part.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.f })
        <> part.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.g })
        <> part.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.h })

    // One axis after the other.
    let steps =
        part.lift(inputAction: \AppAction.a).lift(outputAction: AppAction.a).lift(state: \AppState.a)
        <> part.lift(inputAction: \AppAction.b).lift(outputAction: AppAction.b).lift(state: \AppState.b)
        <> part.lift(inputAction: \AppAction.a).lift(outputAction: AppAction.a).lift(state: \AppState.c)
        <> part.lift(inputAction: \AppAction.b).lift(outputAction: AppAction.b).lift(state: \AppState.d)
        <> part.lift(inputAction: \AppAction.a).lift(outputAction: AppAction.a).lift(state: \AppState.e)
        <> part.lift(inputAction: \AppAction.b).lift(outputAction: AppAction.b).lift(state: \AppState.f)
        <> part.lift(inputAction: \AppAction.a).lift(outputAction: AppAction.a).lift(state: \AppState.g)
        <> part.lift(inputAction: \AppAction.b).lift(outputAction: AppAction.b).lift(state: \AppState.h)

    // A receiver whose lift has its own type.
    let erasedParts =
        erased.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.a)
        <> erased.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.b)
        <> erased.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.c)
        <> erased.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.d)
        <> erased.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.e)
        <> erased.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.f)
        <> erased.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.g)
        <> erased.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.h)

    let erasedClosures: Composed =
        erased.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.a })
        <> erased.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.b })
        <> erased.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.c })
        <> erased.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.d })
        <> erased.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.e })
        <> erased.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.f })
        <> erased.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.g })
        <> erased.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.h })

    // Readers and handlers.
    let readers =
        reader.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.a,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.b,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.c,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.d,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.e,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.f,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.g,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.h,
            dependencies: \World.number
        )

    let composedReaders: MiddlewareReader<World, Composed> =
        reader.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.a,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.b,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.c,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.d,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.e,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.f,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.g,
            dependencies: \World.number
        )
        <> reader.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.h,
            dependencies: \World.number
        )

    let handlers =
        handler.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.a,
            dependencies: \World.number
        )
        <> handler.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.b,
            dependencies: \World.number
        )
        <> handler.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.c,
            dependencies: \World.number
        )
        <> handler.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.d,
            dependencies: \World.number
        )
        <> handler.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.e,
            dependencies: \World.number
        )
        <> handler.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.f,
            dependencies: \World.number
        )
        <> handler.lift(
            inputAction: \AppAction.a,
            outputAction: AppAction.a,
            state: \AppState.g,
            dependencies: \World.number
        )
        <> handler.lift(
            inputAction: \AppAction.b,
            outputAction: AppAction.b,
            state: \AppState.h,
            dependencies: \World.number
        )

    // Reducers.
    let reducers =
        reducer.lift(action: \AppAction.a, state: \AppState.a)
        <> reducer.lift(action: \AppAction.b, state: \AppState.b)
        <> reducer.lift(action: \AppAction.a, state: \AppState.c)
        <> reducer.lift(action: \AppAction.b, state: \AppState.d)
        <> reducer.lift(action: \AppAction.a, state: \AppState.e)
        <> reducer.lift(action: \AppAction.b, state: \AppState.f)
        <> reducer.lift(action: \AppAction.a, state: \AppState.g)
        <> reducer.lift(action: \AppAction.b, state: \AppState.h)

    let inferredReducers: Reducer<AppAction, AppState> =
        reducer.lift(action: \.a, state: \.a)
        <> reducer.lift(action: \.b, state: \.b)
        <> reducer.lift(action: \.a, state: \.c)
        <> reducer.lift(action: \.b, state: \.d)
        <> reducer.lift(action: \.a, state: \.e)
        <> reducer.lift(action: \.b, state: \.f)
        <> reducer.lift(action: \.a, state: \.g)
        <> reducer.lift(action: \.b, state: \.h)
}
