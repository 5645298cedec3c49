// SPDX-License-Identifier: Apache-2.0

/// The kinds of a type's values: the cases of an enum, or the type itself.
struct KindOfValue: @unchecked Sendable {
    // Unchecked because of the pointers into metadata, which never change.
    let names: [String]
    private let metadata: UnsafeRawPointer
    private let getTag: TypeMetadata.GetTag?

    init(_ type: Any.Type) {
        let metadata = TypeMetadata(type)
        self.metadata = metadata.address
        if metadata.kind == .enumeration, !metadata.isImported, let fields = metadata.fields, !fields.isEmpty {
            names = fields.map(\.name)
            getTag = metadata.getTag
        } else {
            names = [metadata.name]
            getTag = nil
        }
    }

    /// The index in `names` of a value's kind.
    func tag(of value: UnsafeRawPointer) -> Int {
        getTag.map { Int($0(value, metadata)) } ?? 0
    }
}
