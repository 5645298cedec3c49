// SPDX-License-Identifier: Apache-2.0

/// What a store takes from the system besides the thread of its engine: time, tasks, other threads and chance.
///
/// A store without a world uses the system itself. A simulation brings a world, in which all of it is decided by a
/// seed. Any thread may call anything.
@usableFromInline
package protocol StoreWorld: AnyObject, Sendable {
    /// Runs the tasks of effects.
    var executor: any TaskExecutor { get }

    /// The clock of effects that name no other one.
    var clock: any Clock<Duration> { get }

    /// The time, in nanoseconds. Not in ticks: how many ticks a nanosecond has is measured anew in each process, and a
    /// seed has to mean the same in all of them.
    var nanoseconds: UInt64 { get }

    /// The time of an action that is taken up now.
    var actionTime: ActionTime { get }

    /// Returns a random number.
    func random() -> UInt64

    /// Runs `body` on another thread, soon.
    func elsewhere(_ name: String, _ body: @escaping @Sendable () -> Void)

    /// Runs `body` on another thread, after a wait.
    func after(_ wait: Duration, _ name: String, _ body: @escaping @Sendable () -> Void)

    /// Runs `body` on a thread that may block by ``block(_:atMost:until:)``. Nobody waits for its end.
    func service(_ name: String, _ body: @escaping @Sendable () -> Void)

    /// Lets others run before the calling thread goes on, if it is one of the world.
    func pause(_ reason: @autoclosure () -> String)

    /// Whether the world has come to its end: what a thread waits for may never come, and it must wait no longer.
    var isOver: Bool { get }

    /// Runs `body` when every read section that is open now has ended.
    func afterGracePeriod(_ body: @escaping @Sendable () -> Void)

    /// Blocks the calling thread until `isOver` returns true, at most for `nanoseconds`. Returns what `isOver` returned
    /// last.
    func block(_ reason: String, atMost nanoseconds: UInt64, until isOver: () -> Bool) -> Bool

    /// Notes that a middleware of a store of this world starts effects. Must not keep it.
    func note(_ effects: any EffectsUnderWay)
}

/// The effects that one middleware has under way, for a world that asks for them. Any thread.
@usableFromInline
package protocol EffectsUnderWay: AnyObject, Sendable {
    /// The effects: those without a token first, those that wait last.
    var underWay: [EffectUnderWay] { get }

    /// Cancels all of them.
    func cancelAll()
}

/// An effect that runs, or waits for its turn.
@usableFromInline
package struct EffectUnderWay: @unchecked Sendable {
    // Unchecked because of AnyHashable: tokens are values, which are only compared and printed.
    package let token: AnyHashable?
    package let name: String?
    package let isWaiting: Bool
    /// The effect in words: its name, or else its token.
    package let text: String

    package init(token: AnyHashable?, name: String?, isWaiting: Bool, text: String) {
        self.token = token
        self.name = name
        self.isWaiting = isWaiting
        self.text = text
    }
}

/// The random numbers of a world; without one, those of the system.
package struct WorldGenerator: RandomNumberGenerator {
    private let world: (any StoreWorld)?
    private var system = SystemRandomNumberGenerator()

    package init(_ world: (any StoreWorld)?) {
        self.world = world
    }

    package mutating func next() -> UInt64 { world?.random() ?? system.next() }
}
