// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The part of the state that a supervising middleware saw last.
@usableFromInline
final class Seen<Part: Equatable, Key: Hashable, Definition: Equatable, Dependencies, OutputAction>:
    @unchecked Sendable
{
    // Unchecked: in a store only the pipeline's thread touches it, outside of a store only the thread that runs the IO
    // of `handle`.
    @usableFromInline var supervisor: Supervisor<Key, Definition, Dependencies, OutputAction>
    @usableFromInline let interruptions: SeenInterruptions
    /// Read for each action, so not checked: nothing else runs while it is read or written.
    @usableFromInline @exclusivity(unchecked) var part: Part?

    @inlinable
    init(_ supervisor: Supervisor<Key, Definition, Dependencies, OutputAction>) {
        self.supervisor = supervisor
        interruptions = supervisor.interruptions
    }

    @inlinable
    func isNew(_ now: Part) -> Bool {
        if part == now, !interruptions.isNew { return false }
        part = now
        return true
    }
}

extension Seen where Key == EffectTag, Definition == AnyHashable {
    @usableFromInline
    func keep(_ wanted: [SupervisedEffect<Dependencies, OutputAction>], _ output: AnyActionHandler<OutputAction>) {
        supervisor.keep(
            wanted.count,
            { .init(key: wanted[$0].tag, definition: wanted[$0].definition) },
            tag: { $0 },
            effectAt: { wanted[$0].effect },
            output
        )
    }
}
