// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Glibc
import Millrace

/// A mailbox with a lock, a condition variable and two arrays. Its consumer takes all elements at once by swapping the
/// arrays. A producer signals only if the array was empty, after it has released the lock. Both arrays keep their
/// memory.
final class CondvarMailbox<Element: Sendable>: @unchecked Sendable {
    // Unchecked because the lock guards the elements.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let elements = UnsafeMutablePointer<[Element]>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(arrived, nil)
        elements.initialize(to: [])
    }

    deinit {
        pthread_cond_destroy(arrived)
        pthread_mutex_destroy(lock)
        elements.deinitialize(count: 1)
        elements.deallocate()
        arrived.deallocate()
        lock.deallocate()
    }

    @inline(__always)
    func post(_ element: Element) {
        pthread_mutex_lock(lock)
        let wasEmpty = elements.pointee.isEmpty
        elements.pointee.append(element)
        pthread_mutex_unlock(lock)
        if wasEmpty { pthread_cond_signal(arrived) }
    }

    /// Sleeps until there are elements and takes them all. `taken` must be empty.
    @inline(__always)
    func take(into taken: inout [Element]) {
        pthread_mutex_lock(lock)
        while elements.pointee.isEmpty { pthread_cond_wait(arrived, lock) }
        swap(&elements.pointee, &taken)
        pthread_mutex_unlock(lock)
    }
}

/// The workload through a mailbox: the last member of the crew sleeps at the mailbox and reduces, the others produce.
@MainActor
enum CondvarRival {
    private final class Consumed: @unchecked Sendable {
        // Unchecked because only the crew's last member uses it during a run, and only the main thread between runs.
        var state = AppState()
    }

    static func contender(crew: Crew) -> Contender {
        let name = "mailbox: pthread_mutex, condition variable, array swap"
        let mailbox = CondvarMailbox<AppAction>()
        let consumed = Consumed()
        return Contender(name, share: 0.05) { operations in
            let producers = crew.size - 1
            let share = operations / producers
            let before = consumed.state
            let times = crew.run { member in
                if member < producers {
                    for index in 0..<share { mailbox.post(AppAction.nth(index)) }
                } else {
                    consume(share * producers, from: mailbox, into: consumed)
                }
            }
            try StateChange(from: before, to: consumed.state).check(
                StateChange(actions: share, producers: producers),
                of: name
            )
            return times.wall_nanoseconds
        }
    }

    private nonisolated static func consume(
        _ count: Int,
        from mailbox: CondvarMailbox<AppAction>,
        into consumed: Consumed
    ) {
        let reduce = AppState.reducer.reduce
        var state = consumed.state
        var actions: [AppAction] = []
        var left = count
        while left > 0 {
            mailbox.take(into: &actions)
            for action in actions { reduce(action, &state) }
            left -= actions.count
            actions.removeAll(keepingCapacity: true)
        }
        consumed.state = state
    }
}
