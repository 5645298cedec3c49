// SPDX-License-Identifier: Apache-2.0

/// The steps for the bytes of a value besides copying them: fill padding with zeros, and check the tags of enums before
/// bytes from a file become a value.
///
/// The plan is made once for a type. Its steps are in memory that never moves, so running them allocates nothing and
/// counts no references.
@usableFromInline
final class BitwisePlan: @unchecked Sendable {
    // Unchecked because of the pointers: what they point to never changes after `init`.
    @usableFromInline let size: Int
    let steps: UnsafeMutableBufferPointer<Step>
    let choices: UnsafeMutableBufferPointer<Choice>
    let cases: UnsafeMutableBufferPointer<Case>
    /// Pairs of equally long runs: a mask, then the bits of the tag under it.
    let masks: UnsafeMutableBufferPointer<UInt8>
    /// The steps of the whole value.
    let first: Int32
    @usableFromInline let count: Int32
    /// Whether encoding only copies the bytes.
    let isPlain: Bool
    /// The lines of the layout, and their fingerprint.
    let layout: String
    let fingerprint: UInt64
    /// The names of the cases if the type is an enum, in the order of their tags.
    let caseNames: [String]?
    private let metadata: UnsafeRawPointer
    private let getTag: TypeMetadata.GetTag?

    struct Step {
        enum Kind: UInt8 {
            /// Padding: zeroed when written, not looked at when read.
            case zero
            /// A byte that must be below `argument`: a Boolean, or an enum without payloads.
            case below
            /// A Unicode scalar.
            case scalar
            /// An enum: `argument` is its choice.
            case choice
        }
        var kind: Kind
        var offset: Int32
        var argument: Int32
    }

    struct Choice {
        let metadata: UnsafeRawPointer
        let getTag: TypeMetadata.GetTag
        let size: Int32
        let firstCase: Int32
        let caseCount: Int32
        /// Cases with a payload come first.
        let payloadCount: Int32
        /// Whether encoding a value has nothing to do besides copying.
        let isPlain: Bool
    }

    struct Case {
        /// The bytes `low..<high` of the enum hold all bits of the tag.
        let low: Int32
        let high: Int32
        /// The offset in `masks`: `high - low` bytes of mask, and then as many bytes with the bits of the tag.
        let mask: Int32
        let firstStep: Int32
        let stepCount: Int32
    }

    init(_ type: Any.Type) throws(LayoutError) {
        var builder = BitwisePlanBuilder()
        let metadata = TypeMetadata(type)
        let steps = try builder.walk(metadata, path: metadata.name)
        first = Int32(builder.steps.count)
        count = Int32(steps.count)
        builder.steps += steps
        size = metadata.size
        isPlain = builder.isPlain(steps)
        layout = builder.text.text
        fingerprint = LayoutText.fingerprint(of: layout)
        caseNames = metadata.kind == .enumeration ? metadata.fields?.map(\.name) : nil
        getTag = metadata.kind == .enumeration ? metadata.getTag : nil
        self.metadata = metadata.address
        self.steps = Self.fixed(builder.steps)
        choices = Self.fixed(builder.choices)
        cases = Self.fixed(builder.cases)
        masks = Self.fixed(builder.masks)
    }

    /// The tag of an enum's value.
    @usableFromInline
    func tag(of value: UnsafeRawPointer) -> Int {
        getTag.map { Int($0(value, metadata)) } ?? 0
    }

    deinit {
        steps.deallocate()
        choices.deallocate()
        cases.deallocate()
        masks.deallocate()
    }

    private static func fixed<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
        _ = memory.initialize(from: elements)
        return memory
    }
}
