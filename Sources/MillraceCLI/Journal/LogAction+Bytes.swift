// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

// How the parts of actions and states are written: numbers little-endian, texts with their lengths.

extension AccessEvent {
    func write(to output: inout RecordBuffer) {
        output.append(size)
        for number in [host, path, minute, client] { output.append(number) }
        for number in [method, status, producer] { output.append(number) }
    }

    init(_ bytes: inout StateBytes) throws(CodecError) {
        self.init(
            size: try bytes.next(),
            host: try bytes.next(),
            path: try bytes.next(),
            minute: try bytes.next(),
            client: try bytes.next(),
            method: try bytes.next(),
            status: try bytes.next(),
            producer: try bytes.next()
        )
        guard status < 600 else { throw bytes.damaged("the status \(status)") }
    }
}

extension KeyText {
    func write(to output: inout RecordBuffer) {
        output.append(UInt32(bytes.count))
        bytes.withUnsafeBytes { output.append($0) }
    }

    init(_ source: inout StateBytes) throws(CodecError) {
        self.init(bytes: try source.bytes(Int(try source.next() as UInt32)))
    }
}

extension KeyDefinition {
    func write(to output: inout RecordBuffer) {
        text.write(to: &output)
        output.append(number)
        output.append(producer)
        output.append(dimension.rawValue)
    }

    init(_ bytes: inout StateBytes) throws(CodecError) {
        let (text, number, producer) = (try KeyText(&bytes), try bytes.next() as UInt32, try bytes.next() as UInt16)
        guard let dimension = KeyDimension(rawValue: try bytes.next()) else { throw bytes.damaged("an unknown field") }
        self.init(text: text, number: number, producer: producer, dimension: dimension)
    }
}

extension MalformedReason {
    init(_ bytes: inout StateBytes) throws(CodecError) {
        guard let reason = MalformedReason(rawValue: try bytes.next()) else { throw bytes.damaged("an unknown reason") }
        self = reason
    }
}

extension MalformedLine {
    func write(to output: inout RecordBuffer) {
        output.append(chunk)
        output.append(line)
        output.append(reason.rawValue)
        output.append(input)
    }

    init(_ bytes: inout StateBytes) throws(CodecError) {
        self.init(
            chunk: try bytes.next(),
            line: try bytes.next(),
            reason: try MalformedReason(&bytes),
            input: try bytes.next()
        )
    }
}

extension ChunkSummary {
    func write(to output: inout RecordBuffer) {
        output.append(chunk)
        for number in [lines, input, pass, directives] { output.append(number) }
    }

    init(_ bytes: inout StateBytes) throws(CodecError) {
        self.init(
            chunk: try bytes.next(),
            lines: try bytes.next(),
            input: try bytes.next(),
            pass: try bytes.next(),
            directives: try bytes.next()
        )
    }
}

extension Alert {
    func write(to output: inout RecordBuffer) {
        text.write(to: &output)
        output.append(events)
        output.append(failures)
        output.append(minute)
    }

    init(_ bytes: inout StateBytes) throws(CodecError) {
        self.init(
            text: try KeyText(&bytes),
            events: try bytes.next(),
            failures: try bytes.next(),
            minute: try bytes.next()
        )
    }
}
