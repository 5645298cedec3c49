// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The windows of `throttle`: of a token one effect begins in each, and the last of the others when it is over.
///
/// A window is there from the beginning of an effect until its time is over; then nothing of it is left.
final class EffectThrottles: Sendable {
    /// An effect that wants to begin.
    struct Entrant: Sendable {
        /// Begins it; false if it was cancelled in the meantime.
        let begin: @Sendable () -> Bool
        /// Ends it, as another one came.
        let drop: @Sendable () -> Void
    }

    private struct Window {
        let number: UInt64
        let timer: Task<Void, Never>
        /// What begins when it is over.
        var next: Entrant?
    }

    private struct Windows {
        var open: [EffectTag: Window] = [:]
        var lastNumber: UInt64 = 0
    }

    // What is removed leaves the lock before it is released: effects may hold anything.
    private let windows = Locked(Windows())

    deinit {
        clear()
    }

    /// Begins an effect, unless a window of its token is open. Otherwise, if it may wait, it takes the place of the one
    /// that waits for the end of the window.
    func enter(
        _ token: EffectTag,
        for interval: Duration,
        on clock: any Clock<Duration>,
        priority: TaskPriority,
        mayWait: Bool,
        _ entrant: Entrant
    ) {
        let firstEnd = clock.sleeping(for: interval)
        let (isFree, dropped) = windows.withLock { windows -> (Bool, Entrant?) in
            guard let index = windows.open.index(forKey: token) else {
                windows.lastNumber += 1
                let number = windows.lastNumber
                // A task of its own: nothing of it runs here, and it has nothing of who is here.
                let timer = Task.detached(priority: priority) { [weak self] in
                    var end = firstEnd
                    repeat {
                        // A clock that fails is a clock whose time is over.
                        try? await end()
                        end = clock.sleeping(for: interval)
                    } while self?.beginNext(token, number) == true
                }
                windows.open[token] = Window(number: number, timer: timer)
                return (true, nil)
            }
            guard mayWait else { return (false, entrant) }
            defer { windows.open.values[index].next = entrant }
            return (false, windows.open.values[index].next)
        }
        if isFree { _ = entrant.begin() }
        dropped?.drop()
    }

    /// Closes all windows; what waits is cancelled by others.
    func clear() {
        let all = windows.withLock { windows in
            defer { windows.open = [:] }
            return windows.open
        }
        for window in all.values { window.timer.cancel() }
    }

    /// The time of a window is over: begins the one that waits, for which it stays open, or closes it.
    private func beginNext(_ token: EffectTag, _ number: UInt64) -> Bool {
        while true {
            let (next, closed) = windows.withLock { windows -> (Entrant?, (EffectTag, Window)?) in
                guard let index = windows.open.index(forKey: token), windows.open.values[index].number == number else {
                    return (nil, nil)
                }
                guard let next = windows.open.values[index].next else {
                    let closed = windows.open.remove(at: index)
                    return (nil, (closed.key, closed.value))
                }
                windows.open.values[index].next = nil
                return (next, nil)
            }
            withExtendedLifetime(closed) {}
            guard let next else { return false }
            if next.begin() { return true }
        }
    }
}
