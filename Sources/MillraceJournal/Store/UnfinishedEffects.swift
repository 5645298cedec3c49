// SPDX-License-Identifier: Apache-2.0

/// What happens after a crash to the effects that had not ended.
public enum UnfinishedEffects: Hashable, Sendable {
    /// They do not begin again: each effect begins at most once.
    case forget
    /// They begin again: each effect runs to its end at least once. The body can read its `EffectKey`, so that what it
    /// calls recognises a second beginning.
    ///
    /// The journal notes the end of each effect, once the actions that it dispatched are in the journal, too. After a
    /// crash the recovery goes back to the oldest effect that had not ended. From there on the store handles the
    /// actions again, with all its middlewares: their effects begin unless they had ended or a later action cancels
    /// them. IOs do not run again, and what middlewares dispatch meanwhile is dropped, because it is in the journal.
    ///
    /// After an orderly end the next start handles no action again, with two exceptions. The end of the store cancels
    /// the effects that are under way; they begin again at the next start. And if the disk was full at the end, the
    /// last actions are handled again, without a second beginning of their effects.
    ///
    /// Only for effects that an `EffectMiddleware` starts in a store of its own type or in a lift made for effects.
    /// Supervised effects and feedback loops follow from the recovered state instead.
    ///
    /// In a sharded store, the answers that an effect has dispatched to other shards are in their journals when its end
    /// is noted.
    ///
    /// - Parameter mostUnfinished: The most effects that may be under way. With so many the pipeline waits until one
    ///   ends, so no effect may wait for the store without a limit of time. In a bounded store an effect may wait for
    ///   room for its answer, which only the pipeline can make. Meanwhile the pipeline does not wait for effects: the
    ///   actions that it handles may start more than this number. With `.caller` and `.main` the number is not
    ///   limited, because an effect that dispatches may run the pipeline.
    case restart(mostUnfinished: Int = 65_536)

    /// They begin again; at most 65,536 may be under way.
    public static var restart: UnfinishedEffects { .restart() }

    var most: Int? {
        switch self {
        case .forget: nil
        case .restart(let most): max(1, most)
        }
    }
}
