// SPDX-License-Identifier: Apache-2.0

extension SimulatedWorld {
    /// Names an object that a middleware uses and that must be released with its store. ``MiddlewareRules`` checks
    /// this.
    ///
    /// ```swift
    /// try MiddlewareRules.check(actions: [.load], initialState: AppState(), reducer: appReducer) { world in
    ///     let client = Client()
    ///     world.mustRelease(client, "the client")
    ///     return Loader(client: client)
    /// }
    /// ```
    ///
    /// The world keeps a weak reference. If the middleware itself is an object, it is checked without this call.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - name: The name in reports.
    public func mustRelease(_ object: AnyObject, _ name: String) {
        scheduler.releases.append(ExpectedRelease(name: name, object: object))
    }

    /// The names of the objects that were not released.
    var unreleased: [String] { scheduler.releases.filter { $0.object != nil }.map(\.name) }
}

/// An object that must be released, with its name.
struct ExpectedRelease {
    let name: String
    weak var object: AnyObject?
}
