// SPDX-License-Identifier: Apache-2.0

// The functions of Mistakes.swift without the mistakes: the compiler has nothing to say about them.

import Millrace
import MillraceEffects
import MillraceLogging

func lifted() -> some MiddlewareProtocol<HouseAction, HouseAction, House> & Sendable {
    DoorMiddleware()
        .liftToDictionary(inputAction: \HouseAction.door, outputAction: HouseAction.door, state: \House.doors)
}

func middlewareLifted() {
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: lifted())
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: Visitors() <> lifted() <> Visitors())
    _ = ReduxStoreBase<HouseAction, House>(initialState: House(), reducer: .identity, middleware: IdentityMiddleware())
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: .identity <> HouseMiddleware())
}

func actionsLifted(_ middleware: sending AnyMiddleware<DoorAction, DoorAction, House>) {
    _ = ReduxStoreBase(
        initialState: House(),
        reducer: houseReducer,
        middleware: middleware.lift(
            inputAction: { (_: HouseAction) in nil },
            outputAction: { HouseAction.door(ElementIDAction(id: 0, action: $0)) }
        )
    )
}

func middlewareLiftedForSubject(_ subject: UnfailableReplayLastSubjectType<House>) {
    _ = ReduxStoreBase(subject: subject, reducer: houseReducer, middleware: lifted())
}

func composedLifted() {
    _ = HouseMiddleware() <> lifted()
    let _: ComposedMiddleware<HouseAction, HouseAction, House> = HouseMiddleware() <> lifted() <> HouseMiddleware()
}

func blockLifted() {
    _ = HouseStore(initialState: House()) {
        houseReducer
        lifted()
        Handler(reducer: houseReducer, middleware: lifted())
        if Bool.random() { HouseMiddleware() } else { Visitors() }
    }
    _ = ComposedMiddleware<HouseAction, HouseAction, House> {
        HouseMiddleware()
        lifted()
    }
}

func injected() {
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: reader.inject(Services()))
    _ = ReduxStoreBase(initialState: House(), handler: handler, dependencies: Services())
}

func injectedForSubject(_ subject: UnfailableReplayLastSubjectType<House>) {
    _ = ReduxStoreBase(subject: subject, reducer: houseReducer, middleware: reader.inject(Services()))
}

func blockInjected() {
    _ = HouseStore(initialState: House()) {
        reader.inject(Services())
        handler.inject(Services())
    }
    _ = ComposedMiddleware<HouseAction, HouseAction, House> {
        reader.inject(Services())
    }
}

func loggerOfMiddleware() {
    _ = ReduxStoreBase(initialState: House(), reducer: houseReducer, middleware: HouseMiddleware().logger())
    _ = HouseMiddleware() <> LoggerMiddleware<HouseAction, House>.default().lift(outputAction: absurd)
}

func nameOfText(_ number: Int) {
    _ = HouseMiddleware().named(MiddlewareName(interning: "house \(number)"))
    _ = HouseMiddleware().named("house")
}

func dictionaryAsDictionary() {
    _ = DoorMiddleware().liftToDictionary(
        inputAction: \HouseAction.door,
        outputAction: HouseAction.door,
        state: \House.doors
    )
}

func keyPathInClosure() {
    let key = \Bell.id
    _ = HouseEffects.supervise(each: \.bells, key: { $0[keyPath: key] }, definition: \.interval) { bell in
        .stream { _ in ring(bell) }
    }
}

func withDefinition() {
    _ = HouseEffects.supervise(each: \.bells, key: \.id, definition: \.interval) { bell in
        .stream { _ in ring(bell) }
    }
    _ = EffectMiddleware<HouseAction, HouseAction, House, Services>.supervise(
        each: \.bells,
        key: \.id,
        definition: \.interval
    ) { bell in
        .stream { _ in ring(bell) }
    }
}

func dictionaryOfEffects() {
    _ = HouseEffects.supervise(each: \.bellByDoor, key: \.key, definition: \.value.interval) { entry in
        .stream { _ in ring(entry.value) }
    }
    _ = HouseEffects.supervise(by: \.bellByDoor) { bells in
        bells.map { SupervisedEffect($0.key, definition: $0.value.interval, .just(.bell($0.key))) }
    }
}

func supervisedHouse() {
    _ = HouseEffects.supervise(by: \.bells) { bells in bells.map { SupervisedEffect($0.id, .just(.bell($0.id))) } }
        .lift(
            inputAction: { (action: HouseAction) in action },
            outputAction: identity,
            state: { (house: House) in house }
        )
}

struct WithBinding<Base: MiddlewareProtocol<Int, Int, Int>>: MiddlewareWrapper {
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

    mutating func bind(_ binding: MiddlewareBinding<Int, Int>) {
        base.bind(binding.lifted(state: binding.state))
    }
}

/// The types are those of its base.
struct BoundByItself<Base: MiddlewareProtocol>: MiddlewareWrapper { var base: Base }

func errorCaught() {
    _ = HouseEffects.onAction { _, _, _ in
        .task { _ in
            .bell(try await openDoors())
        } catchErrors: { _ in
            nil
        }
    }
    _ = HouseEffects.onAction { _, _, _ in .task { _ in .bell((try? await openDoors()) ?? 0) } }
}

func sequenceAtOnce() {
    _ = HouseEffects.onAction { _, _, _ in
        .stream { _ in ring(Bell(id: 1, interval: .seconds(1))) }
    }
}

func knownAction(_ store: HouseStore, _ dispatched: DispatchedAction<HouseAction>) {
    store.dispatch(.bell(1))
    store.dispatch(dispatched)
    store.dispatch(DispatchedAction(.bell(1)))
    // The type of the output follows from the action that is dispatched.
    _ = IO.pure().flatMap { (_: DispatchedAction<Int>) in
        IO { output in
            output.dispatch(dispatched)
            output.dispatch(.bell(1), from: dispatched.dispatcher)
        }
    }
}

struct IsSendable: Sendable {
    let middleware = HouseMiddleware() <> HouseMiddleware().named("second")
}

func urgentOfStore(_ store: HouseStore) {
    store.dispatch(urgent: .bell(1))
    AnyActionHandler(store).dispatch(urgent: .bell(1))
}
