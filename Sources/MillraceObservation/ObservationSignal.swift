// SPDX-License-Identifier: Apache-2.0

import Observation

/// A value that observers can depend on. Each signal has its own registrar, so that notifying its observers does not
/// search the observers of other signals.
@MainActor
final class ObservationSignal: Observable {
    private let registrar = ObservationRegistrar()
    /// A stand-in for the observed value, because a registrar needs a key path.
    private var subject: Void { () }

    /// Makes the observer that is tracking reads now depend on this signal.
    func access() { registrar.access(self, keyPath: \.subject) }

    /// Notifies observers before the change. `withObservationTracking` calls `onChange` here.
    func willSet() { registrar.willSet(self, keyPath: \.subject) }

    /// Notifies the registrar after the change.
    func didSet() { registrar.didSet(self, keyPath: \.subject) }
}
