// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceJournal
import MillraceTesting

// Producers that number their actions.
extension RunningLife {
    /// Commits the next actions of a producer. Some of them twice, some without waiting, and first the last ones of the life
    /// before again, as a producer does that has got no receipt.
    func produce(_ producer: Int, _ choices: [Int], _ store: Store) async {
        let known = Int(await store.lastNumber(of: "p\(producer)"))
        if known != notes.now.mark(of: producer), !store.isClosed {
            notes.breaks("the number of a producer is that of its last action")
        }
        var next = max(1, known - 1)
        for choice in choices where !store.isClosed {
            let deed = Deed(.put, producer, next)
            switch choice {
            case 0, 1:
                store.dispatch(deed, producer: "p\(producer)", number: UInt64(next))
                next += 1
            case 2:
                // At the same time, as after a lost connection.
                async let first = commit(deed, store)
                async let second = commit(deed, store)
                next = await max(first, second)
            case 3 where next > 1:
                _ = await commit(Deed(.put, producer, next - 1), store)
            case 4:
                try? await store.send(Deed(.cancel, producer, life * 1_000 + 100 + next))
            default: next = await commit(deed, store)
            }
        }
    }

    /// Commits an action, and checks the answer. Returns the number that the producer goes on with.
    private func commit(_ deed: Deed, _ store: Store) async -> Int {
        let (producer, number) = (Int(deed.producer), Int(deed.number))
        do throws(CommitError) {
            switch try await store.commit(deed, producer: "p\(producer)", number: UInt64(number)) {
            case .committed(let sequence, _):
                notes.change { values in
                    let place = Int(sequence) - 1
                    if !values.history.indices.contains(place) || values.history[place] != deed {
                        values.breaks("a receipt names the place of its action: \(deed) at \(sequence)")
                    }
                    values.acknowledges(deed)
                }
            case .duplicate(let mark, _):
                notes.change { values in
                    if mark < number || mark > values.mark(of: producer) {
                        values.breaks("a duplicate names a number that was reached: \(mark) for \(deed)")
                    }
                    values.acknowledges(deed)
                }
            }
            return number + 1
        } catch {
            return refused(error, deed, store)
        }
    }

    private func refused(_ error: CommitError, _ deed: Deed, _ store: Store) -> Int {
        let number = Int(deed.number)
        switch error {
        case .gap(let expected):
            if !options.drops { notes.breaks("a producer that leaves out no number is told of no gap: \(deed)") }
            if notes.now.mark(of: Int(deed.producer)) + 1 < expected { notes.breaks("a gap names the next number") }
            return Int(expected)
        case .unknownProducer:
            if !options.drops || notes.now.mark(of: Int(deed.producer)) > 0 {
                notes.breaks("a known producer is known: \(deed)")
            }
            return 1
        case .notAccepted:
            if !options.drops, !store.isClosed { notes.breaks("an open store accepts: \(deed)") }
            return number
        case .journal:
            // What becomes of the action, the next life tells.
            if !store.isClosed, options.failure == .stop { notes.breaks("a store whose journal fails is closed") }
            return number
        case .noJournal:
            notes.breaks("the store has a journal")
            return number
        }
    }

    /// Numbers that the store must refuse.
    func breakNumbers(_ store: Store) async {
        do throws(CommitError) {
            try await store.commit(Deed(.put, 200, 5), producer: "unknown", number: 5)
            notes.breaks("an unknown producer begins with 1")
        } catch {
            if error == .unknownProducer || store.isClosed || options.drops { return }
            if case .journal = error { return }
            notes.breaks("an unknown producer is told so: \(error)")
        }
    }
}
