// SPDX-License-Identifier: Apache-2.0

/// What becomes of an effect whose token is in use when it is to be started.
///
/// ```swift
/// .task(token: "save", policy: .serial) { context in .saved(await context.dependencies.save(draft)) }
/// ```
///
/// | policy | the effect | those of its token |
/// |---|---|---|
/// | `.replace` | is started | are cancelled right after, the waiting ones without having begun |
/// | `.keepFirst` | is thrown away | go on |
/// | `.serial` | waits until all before it have ended | go on |
/// | `.concurrent(max:)` | waits until fewer than so many are at work | go on |
///
/// It is the policy of the effect that comes which counts. Those that wait begin in the order in which they came, on
/// the thread that ended the effect they waited for, and have nothing of its task. An effect is at work until it has ended and its body has returned;
/// one that was cancelled is not waited for, though its work may not have noticed yet.
///
/// A part of an effect that has the token of the whole uses the place of the whole: it never waits for it.
public enum EffectPolicy: Hashable, Sendable {
    /// The newest counts, as in a search while somebody types.
    case replace
    /// The first counts, as with a button that is pressed twice.
    case keepFirst
    /// One after the other.
    case serial
    /// So many at once; a number below one counts as one.
    case concurrent(max: Int)

    /// How many of a token may be at work; nil: any number.
    var limit: Int? {
        switch self {
        case .replace, .keepFirst: nil
        case .serial: 1
        case .concurrent(let max): Swift.max(1, max)
        }
    }
}
