// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MillraceCore

/// Runs the blocks of one pipeline's log, one at a time: a dispatch queue, or the simulated world of the store.
enum LogQueue: Sendable {
    case dispatch(DispatchQueue)
    case world(any StoreWorld)

    func async(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .dispatch(let queue): queue.async(execute: body)
        case .world(let world): world.elsewhere("lines of the log are written", body)
        }
    }

    func async(afterMilliseconds wait: Int, _ body: @escaping @Sendable () -> Void) {
        switch self {
        case .dispatch(let queue): queue.asyncAfter(deadline: .now() + .milliseconds(wait), execute: body)
        case .world(let world): world.after(.milliseconds(wait), "the log looks for new lines", body)
        }
    }
}
