// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore

/// Runs closures one after another on another thread: of a dispatch queue, or of the world that the folder belongs to.
final class BackgroundQueue: Sendable {
    private struct Contents {
        var bodies: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let name: String
    private let queue: DispatchQueue?
    private let world: (any StoreWorld)?
    /// Only in a world.
    private let contents = Locked(Contents())

    init(_ name: String, qos: DispatchQoS = .unspecified, _ world: (any StoreWorld)?) {
        self.name = name
        self.world = world
        queue = world == nil ? DispatchQueue(label: name, qos: qos) : nil
    }

    /// Has a closure run after those that were given before.
    func async(_ body: @escaping @Sendable () -> Void) {
        if let queue { return queue.async(execute: body) }
        let begins = contents.withLock { contents in
            contents.bodies.append(body)
            defer { contents.isRunning = true }
            return !contents.isRunning
        }
        if begins { world?.service(name) { self.run() } }
    }

    /// Waits until the closures that were given before have run.
    func settle() {
        if let queue { return queue.sync {} }
        _ = world?.block("waits for '\(name)'", atMost: .max) { contents.withLock { !$0.isRunning } }
    }

    private func run() {
        while let body = next() { body() }
    }

    private func next() -> (@Sendable () -> Void)? {
        contents.withLock { contents in
            if contents.bodies.isEmpty {
                contents.isRunning = false
                return nil
            }
            return contents.bodies.removeFirst()
        }
    }
}
