// SPDX-License-Identifier: Apache-2.0

public import MillraceTesting

/// A disk in the memory of a simulated world, with one folder: that of a journal.
///
/// ```swift
/// let disk = SimulatedDisk(in: world)
/// world.task("first life") {
///     let journal = Journal(on: disk, codec: codec)
///     let store = try await ReduxStoreBase(
///         recovering: journal, initialState: 0, reducer: counter, engine: .simulated(in: world)
///     )
///     store.dispatch(.up)
///     disk.cutPower()
/// }
/// try world.run()
/// disk.restart()
/// ```
///
/// The thread of the journal belongs to the world, too. Each of its calls of the disk is a step, a sync is several, and
/// takes time of the world. So the seed decides how many actions a sync serves, and what happens meanwhile.
///
/// **Crashes.** After ``cutPower()`` or ``kill()`` the program of before is still in the world: its journal writes
/// nothing more, and its store closes. Let the world run until it has nothing more to do, call ``restart()`` (or go on
/// at once after ``kill()``), and open the journal again.
///
/// **Threads.** Threads and tasks of the world; while the world does not run, the thread that uses it.
public final class SimulatedDisk: Sendable {
    package let disk: PowerCutDisk

    /// Creates an empty disk.
    public init(in world: SimulatedWorld) {
        var random = world.random
        disk = PowerCutDisk(seed: random.next(), in: world.storeWorld)
    }

    /// What a call of the disk does in place of its work.
    public enum Fault: Sendable {
        /// There is no room.
        case full
        /// The call fails. What a failed sync should have written is lost.
        case failure
        /// The power is cut during the call.
        case powerCut
    }

    /// Lets a later call fail. A call is one that changes the disk: of a write, a sync, a new, renamed or removed file.
    ///
    /// - Parameters:
    ///   - fault: What happens.
    ///   - calls: After how many calls more.
    ///   - lasts: Whether it happens at all calls from then on, until ``mend()``.
    public func fail(by fault: Fault, after calls: Int = 0, lasts: Bool = false) {
        let what: PowerCutDisk.Fault =
            switch fault {
            case .full: .full
            case .failure: .failure
            case .powerCut: .cut
            }
        disk.fault = (disk.calls + calls + 1, what, lasts: lasts)
    }

    /// Lets calls succeed again. A journal to which a write or a sync has failed writes nothing more.
    public func mend() { disk.fault = nil }

    /// Cuts the power: each call of the disk fails from now on, until ``restart()``.
    public func cutPower() { disk.cut() }

    /// Starts the machine again. What was not synced before is lost, or is there in part, as the seed decides. Files
    /// that were opened before are of no use.
    public func restart() { disk.restart() }

    /// Ends the program as `kill -9` does: what it has written stays, and it writes nothing more. The next journal on
    /// this disk belongs to the next program.
    public func kill() { disk.kill() }
}
