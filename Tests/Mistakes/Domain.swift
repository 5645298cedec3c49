// SPDX-License-Identifier: Apache-2.0

// What Mistakes.swift and Corrected.swift are about: see scripts/errors-test.sh.

import Millrace
import MillraceEffects

enum DoorAction { case open, knock }

enum HouseAction {
    case door(ElementIDAction<Int, DoorAction>)
    case bell(Int)

    var door: ElementIDAction<Int, DoorAction>? {
        get { if case .door(let action) = self { action } else { nil } }
        set { if let newValue { self = .door(newValue) } }
    }
}

struct Door { var isOpen = false }

struct Bell: Equatable {
    var id: Int
    var interval: Duration
}

struct House {
    var doors: [Int: Door] = [:]
    var bells: [Bell] = []
    var bellByDoor: [Int: Bell] = [:]
}

struct Services: Sendable { var openDoors = 0 }

struct DoorMiddleware: MiddlewareProtocol {
    func handle(
        action: DoorAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Door>
    ) -> IO<DoorAction> {
        .pure()
    }
}

struct HouseMiddleware: MiddlewareProtocol {
    func handle(
        action: HouseAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<House>
    ) -> IO<HouseAction> {
        .pure()
    }
}

/// It is not Sendable.
final class Visitors: MiddlewareProtocol {
    var count = 0

    func handle(
        action: HouseAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<House>
    ) -> IO<HouseAction> {
        count += 1
        return .pure()
    }
}

typealias HouseStore = ReduxStoreBase<HouseAction, House>
typealias HouseEffects = SimpleEffectMiddleware<HouseAction, House>
typealias DoorEffects = SimpleEffectMiddleware<DoorAction, Door>

let doorReducer = Reducer<DoorAction, Door>.reduce { action, door in door.isOpen = action == .open }
let houseReducer = doorReducer.liftToDictionary(action: \HouseAction.door, stateDictionary: \House.doors)
let reader = MiddlewareReader { (_: Services) in HouseMiddleware() }
let handler = Handler(reducer: houseReducer, middleware: reader)

func ring(_ bell: Bell) -> AsyncStream<HouseAction> { AsyncStream { $0.finish() } }
func openDoors() async throws -> Int { 0 }
func rings() async -> AsyncStream<HouseAction> { AsyncStream { $0.finish() } }
