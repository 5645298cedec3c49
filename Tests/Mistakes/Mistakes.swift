// SPDX-License-Identifier: Apache-2.0

// Mistakes, one a function. After `expect:` is what the compiler has to say about the next line, and nothing else in
// this file may be wrong. Corrected.swift has the same functions without the mistakes. See scripts/errors-test.sh.

import Millrace
import MillraceEffects
import MillraceLogging

func middlewareNotLifted() {
    // expect: the middleware is not lifted to the store's actions and state: .lift(inputAction:outputAction:state:)
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: DoorMiddleware())
}

func actionsNotLifted(_ middleware: AnyMiddleware<DoorAction, DoorAction, House>) {
    // expect: the middleware's actions are not the reducer's: lift it, .lift(inputAction:outputAction:state:)
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: middleware)
}

func reducerNotLifted() {
    // expect: the reducer is not lifted to the store's action and state: .lift(action:state:)
    _ = ReduxStoreBase(initialState: House(), reducer: doorReducer, middleware: HouseMiddleware())
}

func middlewareNotLiftedForSubject(_ subject: UnfailableReplayLastSubjectType<House>) {
    // expect: the middleware is not lifted to the store's actions and state: .lift(inputAction:outputAction:state:)
    _ = ReduxStoreBase(subject: subject, reducer: houseReducer, middleware: DoorMiddleware())
}

func composedNotLifted() {
    // expect: the middlewares have different actions or states: lift them, .lift(inputAction:outputAction:state:)
    _ = HouseMiddleware() <> DoorMiddleware()
}

func blockNotLifted() {
    _ = HouseStore(initialState: House()) {
        // expect: the reducer is not lifted to the block's action and state: .lift(action:state:)
        doorReducer
        // expect: the middleware is not lifted to the block's actions and state: .lift(inputAction:outputAction:state:)
        DoorMiddleware()
        // expect: the handler is not lifted to the block's actions and state: .lift(inputAction:outputAction:state:)
        Handler(reducer: doorReducer, middleware: DoorMiddleware())
    }
    _ = ComposedMiddleware<HouseAction, HouseAction, House> {
        HouseMiddleware()
        // expect: the middleware is not lifted to the block's actions and state: .lift(inputAction:outputAction:state:)
        DoorMiddleware()
    }
}

func notInjected() {
    // expect: the middleware needs its dependencies: inject them, .inject(dependencies)
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: reader)
    // expect: the handler needs its dependencies: add the argument dependencies, after handler
    _ = ReduxStoreBase(initialState: House(), handler: handler)
}

func notInjectedForSubject(_ subject: UnfailableReplayLastSubjectType<House>) {
    // expect: the middleware needs its dependencies: inject them, .inject(dependencies)
    _ = ReduxStoreBase(subject: subject, reducer: houseReducer, middleware: reader)
}

func blockNotInjected() {
    _ = HouseStore(initialState: House()) {
        // expect: the middleware needs its dependencies: inject them, .inject(dependencies)
        reader
        // expect: the handler needs its dependencies: inject them, .inject(dependencies)
        handler
    }
    _ = ComposedMiddleware<HouseAction, HouseAction, House> {
        // expect: the middleware needs its dependencies: inject them, .inject(dependencies)
        reader
    }
}

func loggerByItself() {
    // expect: the middleware's output is Never: .lift(outputAction: absurd); for a logger, middleware.logger()
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: LoggerMiddleware.default())
    // expect: the second middleware's output is Never: .lift(outputAction: absurd); for a logger, first.logger()
    _ = HouseMiddleware() <> LoggerMiddleware.default()
}

func nameMadeAtRunTime(_ number: Int) {
    // expect: a name made at run time is kept for ever: write .named(MiddlewareName(interning: text))
    _ = HouseMiddleware().named("house \(number)")
}

func dictionaryAsCollection() {
    // expect: the state is a dictionary: write liftToDictionary
    _ = DoorMiddleware().liftToCollection(
        inputAction: \HouseAction.door,
        outputAction: HouseAction.door,
        state: \House.doors
    )
}

func keyPathInVariable() {
    let key = \Bell.id
    // expect: a key path in a variable is no function: write \.id itself, or a closure, { $0.id }
    _ = HouseEffects.supervise(each: \.bells, key: key, definition: \.interval) { bell in
        .stream { _ in ring(bell) }
    }
}

func noDefinition() {
    // expect: add definition, after key: the values that the effect is made from; a change starts it again
    _ = HouseEffects.supervise(each: \.bells, key: \.id) { bell in
        .stream { _ in ring(bell) }
    }
    // expect: add definition, after key: the values that the effect is made from; a change starts it again
    _ = EffectMiddleware<HouseAction, HouseAction, House, Services>.supervise(each: \.bells, key: \.id) { bell in
        .stream { _ in ring(bell) }
    }
}

func valuesOfDictionary() {
    // expect: the values of a dictionary have no ==: pass the dictionary, whose elements have a key and a value
    _ = HouseEffects.supervise(each: \.bellByDoor.values, key: \.id, definition: \.interval) { bell in
        .stream { _ in ring(bell) }
    }
}

func supervisedElements() {
    let supervised = DoorEffects.supervise(by: \.isOpen) { _ in [SupervisedEffect("knocking", .just(.knock))] }
    // expect: it sees one element at a time: supervise the collection, with supervise(each:key:definition:_:)
    _ = supervised.liftToDictionary(
        inputAction: \HouseAction.door,
        outputAction: HouseAction.door,
        state: \House.doors
    )
}

// expect: its types are not those of its base: implement bind(_:), as base.bind(binding.lifted(state: …))
struct WithoutBinding<Base: MiddlewareProtocol<Int, Int, Int>>: MiddlewareWrapper {
    typealias InputActionType = String
    typealias OutputActionType = Int
    typealias StateType = Int

    var base: Base

    func handle(
        action: String,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>,
        next: BaseHandle
    ) -> IO<Int> {
        next(action.count, dispatcher, state)
    }

    func afterReduce(
        action: String,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>,
        output: AnyActionHandler<Int>,
        next: BaseAfterReduce
    ) {
        next(action.count, dispatcher, state, output)
    }
}

func errorNotCaught() {
    _ = HouseEffects.onAction { _, _, _ in
        // expect: the closure throws: add catchErrors, .task { try await … } catchErrors: { error in … }
        .task { _ in .bell(try await openDoors()) }
    }
}

func sequenceWaitedFor() {
    _ = HouseEffects.onAction { _, _, _ in
        // expect: return the sequence without await and try: wait inside of it, as in an AsyncThrowingStream
        .stream { _ in await rings() }
    }
}

func unknownAction(_ store: HouseStore) {
    // expect: type 'HouseAction' has no member 'knock'
    store.dispatch(.knock)
    // expect: cannot convert value of type 'DoorAction' to expected argument type 'HouseAction'
    store.dispatch(DoorAction.knock)
}

final class NotSendable {
    // The type of the property is what makes the compiler name the part.
    let middleware: some MiddlewareProtocol<HouseAction, HouseAction, House> & Sendable =
        // expect: type 'Visitors' does not conform to the 'Sendable' protocol
        HouseMiddleware() <> Visitors() <> HouseMiddleware()
}

struct NotSendableEither: Sendable {
    // expect: contains non-Sendable type 'Visitors'
    let middleware = HouseMiddleware() <> Visitors() <> HouseMiddleware()
}

func urgentOfErasedStore(_ store: HouseStore) {
    // expect: an erased store or a projection dispatches nothing urgent: keep the store, or AnyActionHandler(store)
    store.eraseToAnyStoreType().dispatch(urgent: .bell(1))
}

// expect: conform to MiddlewareProtocol: see 'Moving an app over from SwiftRex'
struct OldMiddleware: Middleware {
    // expect: return an IO from handle(action:from:state:): see 'Moving an app over from SwiftRex'
    var after: AfterReducer
}
