// SPDX-License-Identifier: Apache-2.0

import CMillraceStress
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Millrace

/// A child of fork that goes on without exec has none of the parent's threads. It is told so, and does not hang.
@Suite("Stores in a child of fork", .serialized, .timeLimit(.minutes(5)), .disabled(if: isSanitized))
struct ForkTests {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a body in a child. Returns the signal that ended it, 0 if none did, and what it printed.
    private func inChild(_ body: @escaping @Sendable () -> Void) -> (signal: Int32, message: String) {
        var message = [CChar](repeating: 0, count: 4096)
        let context = Unmanaged.passRetained(Body(body))
        defer { context.release() }
        let signal = millrace_fork_run(
            { context in Unmanaged<Body>.fromOpaque(context!).takeUnretainedValue().run() },
            context.toOpaque(),
            &message,
            message.count
        )
        return (signal, String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    private func isTold(_ child: (signal: Int32, message: String)) -> Bool {
        child.signal != 0 && child.signal != SIGALRM && child.message.contains("created before fork")
    }

    private func make(_ engine: StoreEngine, _ publication: Publication = .onDemand) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: engine,
            publication: publication,
            capacity: .bounded(4)
        )
    }

    @Test("a dispatch to a store whose thread sleeps stops the child; the parent goes on")
    func dispatch() async {
        let store = make(.thread(wait: .park))
        store.dispatch(1)
        await store.drain()
        // The thread goes to sleep at some time. Until then a dispatch in the child returns.
        #expect(await eventually { isTold(inChild { store.dispatch(2) }) })
        store.dispatch(3)
        await store.drain()
        #expect(store.state == 2)
    }

    @Test("a child that would wait for the store's thread stops, although that thread was awake")
    func waits() async {
        let store = make(.thread(latency: .lowLatency))
        store.dispatch(1)
        await store.drain()
        // On demand, with an action that nobody handles; and the fifth action waits for room.
        #expect(
            isTold(
                inChild {
                    store.dispatch(2); _ = store.state
                }
            )
        )
        #expect(isTold(inChild { for number in 0..<5 { store.dispatch(number) } }))
        store.dispatch(3)
        await store.drain()
        #expect(store.state == 2)
    }

    @Test("stores that need no other thread work in the child, and so do stores that it creates")
    func ownStores() {
        let store = make(.caller)
        store.dispatch(1)
        let child = inChild {
            store.dispatch(2)
            guard store.state == 2 else { abort() }
            let own = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), publication: .onDemand)
            for number in 0..<1_000 { own.dispatch(number) }
            guard own.state == 1_000 else { abort() }
        }
        #expect(child.signal == 0, "\(child)")
        #expect(store.state == 1)
    }
}
