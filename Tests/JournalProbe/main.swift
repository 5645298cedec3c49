// SPDX-License-Identifier: Apache-2.0

// A program that tests kill at any moment: producers commit numbered actions to a store with a journal. It says in files
// what was acknowledged and what its IOs and effects did, so that a test can compare them with what is recovered.
//
// JournalProbe FOLDER LEVEL SEED EFFECTS

import Dispatch
import Glibc
import JournalProbeModel
import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import MillraceRecords

/// Appends lines to a file. A written line survives the end of the process.
struct Lines: Sendable {
    private let descriptor: Int32

    init(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        precondition(descriptor >= 0, "cannot open \(path)")
    }

    func append(_ text: String) {
        let line = text + "\n"
        let count = line.utf8.count
        precondition(write(descriptor, line, count) == count)
    }
}

// It ends with the test that started it, also if that was killed.
let parent = getppid()
DispatchQueue.global().async {
    while getppid() == parent { usleep(200_000) }
    _exit(1)
}

let arguments = CommandLine.arguments
let folder = arguments[1]
let seed = UInt64(arguments[3])!
let durability: Durability =
    switch arguments[2] {
    case "process": .process
    case "interval": .interval(.milliseconds(3))
    case "every": .every
    default: .grouped
    }
let acknowledged = Lines(folder + "/acknowledged")
let told = Lines(folder + "/told")
let unfinished: UnfinishedEffects = arguments[4] == "restart" ? .restart : .forget
let begun = Lines(folder + "/begun")

let effects = SimpleEffectMiddleware<Payment, Accounts>.onAction { payment, _, _ in
    guard payment.number % 7 == 0, payment.producer < 50 else { return .doNothing }
    return .task { _ in
        begun.append("\(payment.producer) \(payment.number)")
        // Some take so long that a kill meets them.
        if payment.number % 5 == 0 { try? await Task.sleep(for: .milliseconds(40)) }
        return Payment(producer: 100 + payment.producer, number: payment.number, amount: 1)
    }
}
let journal = try Journal<Payment>(
    directory: folder + "/journal",
    codec: .bitwise(version: 1),
    durability: durability,
    segmentBytes: 1 << 18
)
let isExact = seed % 3 == 0
let engine: StoreEngine =
    switch seed / 3 % 4 {
    case 0 where isExact: .caller
    case 1 where isExact: .queue(DispatchQueue(label: "store"))
    // The main queue runs while this file waits for its tasks.
    case 2 where isExact: .main
    default: .thread()
    }
if isExact, seed / 3 % 4 == 2 { print("main") }
let store: ReduxStoreBase<Payment, Accounts>
let snapshots = try SnapshotPolicy<Accounts>.every(
    actions: 500,
    kind: seed % 4 < 2 ? .copy : .shadow,
    by: .codable(version: 1)
)
let witness = Witness { told.append("\($0.producer) \($0.number)") }
do {
    // Every second program with the main queue has its state in a subject.
    if engine == .main, seed / 12 % 2 == 0 {
        store = try await ReduxStoreBase(
            recovering: journal,
            subject: .native(initialValue: Accounts()),
            reducer: Accounts.paying,
            middleware: effects <> witness,
            snapshots: snapshots,
            effects: unfinished
        )
    } else {
        store = try await ReduxStoreBase(
            recovering: journal,
            initialState: Accounts(),
            reducer: Accounts.paying,
            middleware: effects <> witness,
            engine: engine,
            capacity: seed % 5 == 0 ? .bounded(64) : .unbounded,
            snapshots: snapshots,
            held: isExact ? .exact : .held,
            effects: unfinished
        )
    }
} catch {
    print("refused: \(error)")
    exit(1)
}
print("ready \(store.recovery!)")
fflush(nil)
await withTaskGroup(of: Void.self) { group in
    for producer in 1...4 {
        group.addTask {
            let name = "p\(producer)"
            var number = await store.lastNumber(of: name) + 1
            while true {
                let payment = Payment(producer: producer, number: Int(number), amount: Int(number) % 10)
                do {
                    try await store.commit(payment, producer: name, number: number)
                } catch {
                    print("failed \(error)")
                    exit(1)
                }
                acknowledged.append("\(producer) \(number)")
                number += 1
                // Some that nobody waits for.
                let tip = Payment(producer: 50 + producer, number: 0, amount: 1)
                if number % 8 == 0 {
                    store.dispatch(urgent: tip)
                } else {
                    store.dispatch(tip)
                }
            }
        }
    }
}

/// Calls a closure in the IO of some actions.
struct Witness: MiddlewareProtocol {
    let tell: @Sendable (Payment) -> Void

    func handle(action: Payment, from dispatcher: ActionSource, state: @escaping GetState<Accounts>) -> IO<Payment> {
        action.number % 3 == 0 && action.producer < 50 ? IO { _ in tell(action) } : .pure()
    }
}
