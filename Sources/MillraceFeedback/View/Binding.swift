// SPDX-License-Identifier: Apache-2.0

#if !canImport(SwiftUI)
    /// A value that a control reads and sets. Where there is SwiftUI, this is `SwiftUI.Binding`.
    public struct Binding<Value>: Sendable {
        private let get: @Sendable () -> Value
        private let set: @Sendable (Value) -> Void

        /// Creates a binding from the closure that reads and the closure that sets.
        public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
            self.get = get
            self.set = set
        }

        /// The value. A binding of a ``Context`` returns the value of that context's state, also after it was set.
        public var wrappedValue: Value {
            get { get() }
            nonmutating set { set(newValue) }
        }
    }
#endif
