// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

/// The subject of a store with a journal. Until ``open()`` the recovered state is kept apart, so that subscribers are
/// not called while actions are handled again. ``open()`` sends it into the subject.
@usableFromInline
package final class RecoveringSubject<State>: @unchecked Sendable {
    // Unchecked because the lock and the subjects guard all states.
    private let subject: UnfailableReplayLastSubjectType<State>
    /// Has the state until ``open()``; then it is released, because a second reference would make each change a copy.
    private let recovered: Locked<UnfailableReplayLastSubjectType<State>?>
    /// Whether the state is in the subject. The pipeline's thread stores it (releasing) after it has sent the state;
    /// readers load it (acquiring) before they read the subject.
    private let isOpen = Atomic<Bool>(false)

    @usableFromInline package init(_ subject: UnfailableReplayLastSubjectType<State>, recovered: State) {
        self.subject = subject
        self.recovered = Locked(.native(initialValue: recovered))
    }

    /// The subject's value before the recovery.
    @usableFromInline var initialState: State { subject.value() }

    /// Sends the recovered state into the subject. On the pipeline's thread, once.
    package func open() {
        if let recovered = recovered.withLock({ $0 }) { subject.subscriber.onValue(recovered.value()) }
        isOpen.store(true, ordering: .releasing)
        let released = recovered.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }

    /// The subject that has the state now.
    private var current: UnfailableReplayLastSubjectType<State> {
        if isOpen.load(ordering: .acquiring) { return subject }
        return recovered.withLock { $0 } ?? subject
    }

    /// The subject that the store uses: it reads and writes the recovered state until ``open()``, and then the subject.
    @usableFromInline var ofStore: UnfailableReplayLastSubjectType<State> {
        let input = UnfailableSubscriberType<State>(
            onValue: { self.current.subscriber.onValue($0) },
            onCompleted: subject.subscriber.onCompleted
        )
        guard let mutateInPlace = subject.mutateInPlace else {
            return UnfailableReplayLastSubjectType(
                publisher: subject.publisher,
                subscriber: input,
                value: { self.current.value() }
            )
        }
        return UnfailableReplayLastSubjectType(
            publisher: subject.publisher,
            subscriber: input,
            value: { self.current.value() },
            mutateInPlace: { (self.current.mutateInPlace ?? mutateInPlace)($0) }
        )
    }
}
