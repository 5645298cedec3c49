// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import MillraceTesting

/// Notes what is handled. Its IOs are the outside world.
struct NotingMiddleware: MiddlewareProtocol {
    let notes: Notebook<JournalNotes>

    func handle(action: Deed, from dispatcher: ActionSource, state: @escaping GetState<Deeds>) -> IO<Deed> {
        let index = state().all.count
        notes.change { $0.handles(action, after: index) }
        guard action.kind == .put || action.kind == .tick else { return .pure() }
        return IO { [notes] output in
            let count = state().all.count
            notes.change { $0.tells(action, after: index, reading: count) }
            if action.kind == .put, action.number % 3 == 0 {
                output.dispatch(Deed(.told, Int(action.producer), Int(action.number)))
            }
        }
    }
}

/// A plugin whose IOs and effects must not outlive it.
struct NotingPlugin: MiddlewareProtocol {
    let notes: Notebook<JournalNotes>

    func handle(action: Deed, from dispatcher: ActionSource, state: @escaping GetState<Deeds>) -> IO<Deed> {
        guard action.kind == .plugged else { return .pure() }
        return IO { [notes] _ in
            notes.change { values in
                if values.isPluginGone { values.breaks("no IO of a removed plugin runs") }
                values.told[action, default: 0] += 1
                if values.told[action] != 1 { values.breaks("an IO of a plugin runs once: \(action)") }
            }
        }
    }
}

extension RunningLife {
    /// Answers puts: by a task with the token of the producer, by one that waits for those before it, by a closure, at once,
    /// or not at all.
    func answering() -> SimpleEffectMiddleware<Deed, Deeds> {
        let (notes, clock, restarts) = (notes, world.clock, restarts)
        return .onAction { deed, _, _ in
            switch deed.kind {
            case .cancel: return .toCancel(deed.producer)
            case .put where deed.hasTask:
                let answer = Deed(.answered, Int(deed.producer), Int(deed.number))
                let task = Effect<Void, Deed>.task(token: deed.producer) { _ in
                    // A task that was cancelled before it began sees that.
                    if !Task.isCancelled { notes.change { $0.begins(deed, mayRepeat: restarts) } }
                    if deed.number % 8 == 0 { try? await clock.sleep(for: .milliseconds(3)) }
                    return answer
                }
                return deed.number % 12 == 0 ? .merge(task, .fireAndForget {}) : task
            case .put where deed.isInLine:
                return .task(token: "line", policy: .serial) { _ in
                    if !Task.isCancelled { notes.change { $0.begins(deed, mayRepeat: restarts) } }
                    try? await clock.sleep(for: .milliseconds(1))
                    return nil
                }
            case .put where deed.number % 4 == 1:
                return .fireAndForget { notes.change { $0.begins(deed, mayRepeat: restarts) } }
            case .put where deed.number % 4 == 2:
                return .just(Deed(.answered, Int(deed.producer), Int(deed.number)))
            default: return .doNothing
            }
        }
    }

    /// Effects behind the gate.
    func gated() -> SimpleEffectMiddleware<Deed, Deeds> {
        let notes = notes
        return .onAction { deed, _, _ in
            guard deed.kind == .tick else { return .doNothing }
            return .fireAndForget {
                notes.change { if $0.isGateClosed { $0.breaks("no effect begins behind a closed gate: \(deed)") } }
            }
        }
    }

    /// A plugin that starts effects.
    func pluggedEffects() -> SimpleEffectMiddleware<Deed, Deeds> {
        let notes = notes
        return .onAction { deed, _, _ in
            guard deed.kind == .plugged else { return .doNothing }
            return .fireAndForget {
                notes.change { if $0.isPluginGone { $0.breaks("no effect of a removed plugin begins") } }
            }
        }
    }
}
