// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceCore
public import MillraceRecords

/// How an action comes into the ring, from there into a frame, and later back from the bytes of a file.
///
/// The closures are made in the client's module, where the compiler knows the types of the codec and of the action. In
/// this module each of these steps would look up how to copy and destroy an action.
@usableFromInline
struct EntryCoder<Action>: Sendable {
    /// Makes the closure that copies an action into the ring.
    let recorder: @Sendable (EntryRing<Action>) -> JournalPort.Record
    /// Moves entries from the ring into a frame, until the frame has this number of bytes.
    let encode: @Sendable (EntryRing<Action>, inout FrameBuilder, inout GroupMarks, Int) -> TakenEntries
    /// Initialises an action from its bytes.
    let decode: Decode

    @usableFromInline
    typealias Decode = @Sendable (UnsafeRawBufferPointer, Int, UnsafeMutablePointer<Action>) throws(CodecError) -> Void

    @inlinable
    init<Codec: ActionCodec>(_ codec: Codec) where Codec.Action == Action {
        self.init(
            recorder: { ring in { ring.record($0, $1, $2, $3) } },
            encode: { ring, frame, marks, bytes in ring.encode(into: &frame, &marks, until: bytes, by: codec) },
            decode: { (bytes, route, place) throws(CodecError) in
                place.initialize(to: try codec.decode(bytes, route: route))
            }
        )
    }

    @usableFromInline
    init(
        recorder: @escaping @Sendable (EntryRing<Action>) -> JournalPort.Record,
        encode: @escaping @Sendable (EntryRing<Action>, inout FrameBuilder, inout GroupMarks, Int) -> TakenEntries,
        decode: @escaping Decode
    ) {
        self.recorder = recorder
        self.encode = encode
        self.decode = decode
    }
}

/// What came of moving entries from the ring into a frame.
@usableFromInline
struct TakenEntries {
    /// Why the last one is not in the frame.
    @usableFromInline
    enum Problem {
        case outOfOrder(expected: UInt64, found: UInt64)
        case codec(CodecError)
    }

    /// How many were taken.
    let count: Int
    let problem: Problem?

    @usableFromInline
    init(count: Int, problem: Problem?) {
        self.count = count
        self.problem = problem
    }
}

/// The marks of the producers with actions in the frame that is being built.
@usableFromInline
struct GroupMarks {
    private var numbers: [String: UInt64] = [:]
    /// Newer than in `numbers`. The actions of one producer mostly come in rows.
    private var last: ProducerMark?

    @usableFromInline
    mutating func add(_ mark: ProducerMark) {
        #if MILLRACE_PLANTED
            if Planted.has(.marksOverwritten) { last = nil }
        #endif
        if let last, last.producer != mark.producer { numbers[last.producer] = last.number }
        for producer in mark.forgotten { numbers[producer] = 0 }
        last = mark
    }

    /// Appends them to a frame, and forgets them.
    mutating func move(to frame: inout FrameBuilder) {
        if let mark = last.take() { numbers[mark.producer] = mark.number }
        if numbers.isEmpty { return }
        for (producer, number) in numbers { frame.append(.mark(producer: producer, number: number)) }
        numbers.removeAll(keepingCapacity: true)
    }
}
