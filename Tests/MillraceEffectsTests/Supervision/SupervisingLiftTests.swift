// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import TestSupport
import Testing

/// The lifts that a supervising middleware is warned about, called without the warning.
private protocol ElementLifts {
    static func toDictionary(_ part: SupervisingLiftTests.Part) -> SupervisingLiftTests.Lifted
    static func toCollection(_ part: SupervisingLiftTests.Part) -> SupervisingLiftTests.Lifted
}

private enum Deprecated: ElementLifts {
    @available(*, deprecated)
    static func toDictionary(_ part: SupervisingLiftTests.Part) -> SupervisingLiftTests.Lifted {
        part.liftToDictionary(
            inputAction: { (action: ElementIDAction<Int, Int>) in action },
            outputAction: { (action: ElementIDAction<Int, Int>) in action },
            state: { (rooms: [SupervisingLiftTests.Room]) in Dictionary(uniqueKeysWithValues: rooms.map { ($0.id, $0) })
            }
        ).eraseToAnyMiddleware()
    }

    @available(*, deprecated)
    static func toCollection(_ part: SupervisingLiftTests.Part) -> SupervisingLiftTests.Lifted {
        part.liftToCollection(
            inputAction: { (action: ElementIDAction<Int, Int>) in action },
            outputAction: { (action: ElementIDAction<Int, Int>) in action },
            state: { (rooms: [SupervisingLiftTests.Room]) in rooms }
        ).eraseToAnyMiddleware()
    }
}

@Suite("SupervisingMiddleware: lifted to one element at a time")
struct SupervisingLiftTests {
    struct Room: Sendable, Equatable, Identifiable {
        var id: Int
        var server = 0
    }

    typealias Part = SupervisingMiddleware<Int, Int, Room, Void>
    typealias Lifted = AnyMiddleware<ElementIDAction<Int, Int>, ElementIDAction<Int, Int>, [Room]>

    private let log = Recorder<String>()

    private var part: Part {
        EffectMiddleware<Int, Int, Room, Void>.supervise(
            each: { [$0] },
            key: \.id,
            definition: \.server,
            { [log] room in
                Effect { _, sink in
                    log.record("begin \(room.id)")
                    sink.onCancel { log.record("end \(room.id)") }
                }
            }
        )
    }

    @Test("it sees the element of the action, and no other: those effects end, as the warning says", arguments: 0..<2)
    func oneAtATime(form: Int) {
        let lifts: any ElementLifts.Type = Deprecated.self
        let lifted = form == 0 ? lifts.toDictionary(part) : lifts.toCollection(part)
        let rooms = [Room(id: 1), Room(id: 2)]
        for id in [1, 2, 2, 3] {
            let action = ElementIDAction(id: id, action: 0)
            lifted.handle(action: action, from: .here(), state: { rooms }).run(AnyActionHandler { _ in })
        }
        #expect(log.all.prefix(1) == ["begin 1"])
        #expect(log.all.dropFirst().sorted() == ["begin 2", "end 1"])
    }
}
