// SPDX-License-Identifier: Apache-2.0

#if !canImport(SwiftUI)
    /// A value that a control reads and sets. Where there is SwiftUI, this is `SwiftUI.Binding`.
    public struct Binding<Value>: Sendable {
        private let get: @Sendable () -> Value
        private let set: @Sendable (Value) -> Void

        /// Creates a binding from its two directions.
        public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
            self.get = get
            self.set = set
        }

        /// The value. Of a binding of a ``Context`` it stays the one of that context's state after it was set.
        public var wrappedValue: Value {
            get { get() }
            nonmutating set { set(newValue) }
        }
    }
#endif
