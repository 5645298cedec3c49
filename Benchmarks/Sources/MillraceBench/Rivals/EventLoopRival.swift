// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import NIOCore
import NIOPosix

/// An event loop of SwiftNIO that guards the state, with one `execute` call per action. The loop belongs to the
/// process's own group (`MultiThreadedEventLoopGroup.singleton`).
@MainActor
enum EventLoopRival {
    private final class LoopState: @unchecked Sendable {
        // Unchecked because only tasks of the loop use the state.
        var state = AppState()
    }

    static func contender(crew: Crew) -> Contender {
        let name = "NIO EventLoop.execute"
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let box = LoopState()
        return Contender(name, share: crew.size == 1 ? 0.05 : 0.01) { operations in
            let share = operations / crew.size
            let before = try await loop.submit { box.state }.get()
            let times = crew.run { _ in
                let reduce = AppState.reducer.reduce
                for index in 0..<share {
                    let action = AppAction.nth(index)
                    loop.execute { reduce(action, &box.state) }
                }
            }
            let (after, ended) = try await loop.submit { (box.state, bench_now()) }.get()
            try StateChange(from: before, to: after).check(StateChange(actions: share, producers: crew.size), of: name)
            return ended - times.began
        }
    }
}
