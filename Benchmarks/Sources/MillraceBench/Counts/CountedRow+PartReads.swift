// SPDX-License-Identifier: Apache-2.0

import Millrace

extension CountedRow {
    private typealias Handling = PartMiddleware.Handling
    private typealias Getting = PartMiddleware.Getting
    private typealias Watching = PartMiddleware.Watching
    private typealias Working = PartMiddleware.Working

    /// Rows of middlewares that read their part of the state under a lift, beside the same ones that are not lifted.
    /// Every action is for the middleware.
    static var partReads: [CountedRow] {
        [
            CountedRow("parts: handle reads, not lifted") { numbers(Handling<PartAction, PartState>()) },
            CountedRow("parts: handle reads, lifted by a closure") { numbers(closure(Handling<Int, Int>())) },
            CountedRow("parts: handle reads, lifted by a key path") { numbers(keyPath(Handling<Int, Int>())) },
            CountedRow("parts: handle reads, an element by its id") { elements(id(Handling<Int, PartElement>())) },
            CountedRow("parts: handle reads, a value by its key") { elements(key(Handling<Int, PartElement>())) },
            CountedRow("parts: handle reads, an optional") { numbers(optional(Handling<Int, PartElement>())) },
            CountedRow("parts: handle gets, not lifted") { numbers(Getting<PartAction, PartState>()) },
            CountedRow("parts: handle gets, lifted by a closure") { numbers(closure(Getting<Int, Int>())) },
            CountedRow("parts: handle gets, an element by its id") { elements(id(Getting<Int, PartElement>())) },
            CountedRow("parts: afterReduce reads, not lifted") { numbers(Watching<PartAction, PartState>()) },
            CountedRow("parts: afterReduce reads, lifted by a closure") { numbers(closure(Watching<Int, Int>())) },
            CountedRow("parts: afterReduce reads, lifted by a key path") { numbers(keyPath(Watching<Int, Int>())) },
            CountedRow("parts: afterReduce reads, an element by its id") { elements(id(Watching<Int, PartElement>())) },
            CountedRow("parts: afterReduce reads, a value by its key") { elements(key(Watching<Int, PartElement>())) },
            CountedRow("parts: an IO reads, not lifted") { numbers(Working<PartAction, PartState>()) },
            CountedRow("parts: an IO reads, lifted by a closure") { numbers(closure(Working<Int, Int>())) },
            CountedRow("parts: an IO reads, an element by its id") { elements(id(Working<Int, PartElement>())) },
        ]
    }

    static func closure<Part: MiddlewareProtocol<Int, Int, Int>>(
        _ part: Part
    ) -> LiftMiddleware<PartAction, PartAction, PartState, Part> {
        part.lift(inputAction: \PartAction.number, outputAction: PartAction.number, state: \PartState.count)
    }

    static func keyPath<Part: MiddlewareProtocol<Int, Int, Int>>(
        _ part: Part
    ) -> LiftMiddleware<PartAction, PartAction, PartState, LiftMiddleware<Int, Int, PartState, Part>> {
        part.lift(statePath: \PartState.count)
            .lift(inputAction: \PartAction.number, outputAction: PartAction.number)
    }

    static func id<Part: MiddlewareProtocol<Int, Int, PartElement>>(
        _ part: Part
    ) -> LiftToCollectionMiddleware<PartAction, PartAction, PartState, KeyedArray<PartElement>, Part> {
        part.liftToCollection(
            inputAction: \PartAction.element,
            outputAction: PartAction.element,
            state: \PartState.elements
        )
    }

    static func key<Part: MiddlewareProtocol<Int, Int, PartElement>>(
        _ part: Part
    ) -> LiftToElementMiddleware<PartAction, PartAction, PartState, Int, Part> {
        part.liftToDictionary(
            inputAction: \PartAction.element,
            outputAction: PartAction.element,
            state: \PartState.values
        )
    }

    static func optional<Part: MiddlewareProtocol<Int, Int, PartElement>>(
        _ part: Part
    ) -> LiftToElementMiddleware<PartAction, PartAction, PartState, Void, Part> {
        part.liftToOptional(
            inputAction: \PartAction.number,
            outputAction: PartAction.number,
            state: \PartState.optional
        )
    }

    private static func numbers(_ middleware: sending some MiddlewareProtocol<PartAction, PartAction, PartState>) -> Run
    {
        run(middleware) { .number($0) }
    }

    private static func elements(
        _ middleware: sending some MiddlewareProtocol<PartAction, PartAction, PartState>
    ) -> Run {
        run(middleware) { .element(ElementIDAction(id: $0 % 100, action: $0)) }
    }

    private static func run(
        _ middleware: sending some MiddlewareProtocol<PartAction, PartAction, PartState>,
        _ action: (Int) -> PartAction
    ) -> Run {
        let store = PartState.store(middleware)
        let batch = (0..<256).map(action)
        return Run { operations in
            for _ in 0..<operations / batch.count { store.dispatch(contentsOf: batch) }
        }
    }
}
