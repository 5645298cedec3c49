// SPDX-License-Identifier: Apache-2.0

import Observation

/// One thing that observers can depend on. Each has a registrar of its own, so that telling its observers looks at
/// nobody else's.
@MainActor
final class ObservationSignal: Observable {
    private let registrar = ObservationRegistrar()
    /// Stands for what is observed: a registrar wants a key path.
    private var subject: Void { () }

    /// Whoever tracks what is read now depends on this.
    func access() { registrar.access(self, keyPath: \.subject) }

    /// Before the change: this is when `withObservationTracking` calls its observers.
    func willSet() { registrar.willSet(self, keyPath: \.subject) }

    /// After the change.
    func didSet() { registrar.didSet(self, keyPath: \.subject) }
}
