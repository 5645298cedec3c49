// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The intervals of `throttle`, called windows: one effect of a token begins in each, and the last of the others may
/// begin when it is over.
///
/// A window exists from the beginning of an effect until its time is over; then nothing of it is left.
final class EffectThrottles: Sendable {
    /// An effect that wants to begin.
    struct Entrant: Sendable {
        /// Begins the effect; returns false if it was cancelled in the meantime.
        let begin: @Sendable () -> Bool
        /// Ends the effect without beginning it.
        let drop: @Sendable () -> Void
    }

    private struct Window {
        let number: UInt64
        let timer: Task<Void, Never>
        /// The effect that begins when the window is over.
        var next: Entrant?
    }

    private struct Windows {
        var open: [EffectTag: Window] = [:]
        var lastNumber: UInt64 = 0
    }

    // Removed entries are released after the lock, as effects may own objects whose `deinit` runs any code.
    private let windows = Locked(Windows())

    deinit {
        clear()
    }

    /// Begins an effect, unless a window of its token is open. In an open window the effect waits for the end, if it
    /// may, in place of the one that waited before. Otherwise it is dropped.
    func enter(
        _ token: EffectTag,
        for interval: Duration,
        on clock: any Clock<Duration>,
        task: (@escaping @Sendable () async -> Void) -> Task<Void, Never>,
        mayWait: Bool,
        _ entrant: Entrant
    ) {
        let firstEnd = clock.sleeping(for: interval)
        let (isFree, dropped) = windows.withLock { windows -> (Bool, Entrant?) in
            guard let index = windows.open.index(forKey: token) else {
                windows.lastNumber += 1
                let number = windows.lastNumber
                // A detached task: none of it runs on this thread, and it inherits nothing from the current task.
                let timer = task { [weak self] in
                    var end = firstEnd
                    repeat {
                        // If the clock throws, the wait counts as over.
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

    /// Closes all windows. Effects that wait are cancelled elsewhere.
    func clear() {
        let all = windows.withLock { windows in
            defer { windows.open = [:] }
            return windows.open
        }
        for window in all.values { window.timer.cancel() }
    }

    /// Called when the time of a window is over. Begins the waiting effect, for which the window stays open, or closes
    /// the window. Returns whether the window stays open.
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
