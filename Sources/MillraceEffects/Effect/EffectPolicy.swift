// SPDX-License-Identifier: Apache-2.0

/// The rule for starting an effect whose token is in use.
///
/// ```swift
/// .task(token: "save", policy: .serial) { context in .saved(await context.dependencies.save(draft)) }
/// ```
///
/// | policy | the new effect | the other effects of the token |
/// |---|---|---|
/// | `.replace` | is started | are cancelled right after; waiting ones never begin |
/// | `.keepFirst` | is skipped | go on |
/// | `.serial` | waits until all effects before it have ended | go on |
/// | `.concurrent(max:)` | waits until fewer than `max` are running | go on |
///
/// The policy of the new effect decides. Waiting effects begin in the order in which they were started, on the thread
/// that ended the effect they waited for. They inherit nothing from the task on that thread. An effect is running
/// until it has ended and its body has returned. A cancelled effect is not waited for, although its task may not have
/// noticed the cancellation yet.
///
/// A part of an effect that has the token of the whole shares the place of the whole: the part never waits for the
/// whole.
public enum EffectPolicy: Hashable, Sendable {
    /// The newest effect replaces the others, as in a search while the user types.
    case replace
    /// The first effect stays, as with a button that is pressed twice.
    case keepFirst
    /// The effects run one after the other.
    case serial
    /// At most `max` effects run at once; a number below one counts as one.
    case concurrent(max: Int)

    /// The most effects of a token that may run at once; nil: no limit.
    var limit: Int? {
        switch self {
        case .replace, .keepFirst: nil
        case .serial: 1
        case .concurrent(let max): Swift.max(1, max)
        }
    }
}
