// SPDX-License-Identifier: Apache-2.0

extension FrameReader {
    /// Reads the frame at `position`. Returns false at the end of the file, and then sets `end`.
    mutating func nextFrame() throws(RecordFileError) -> Bool {
        if let knownEnd, position >= knownEnd.offset { return try endAtKnownEnd(knownEnd) }
        // If the file is still being written, the bytes that were read ahead may be out of date. So a failure here does
        // not count.
        if frame?.isLast != true, try readFrame() == nil { return true }
        let size = try source.size(path)
        guard position < size else {
            if knownEnd != nil { return try endAtHole("the file ends", size) }
            end = frame?.isLast == true ? .ended(offset: position) : .open(offset: position)
            return false
        }
        if frame?.isLast == true {
            guard try search(from: position, size).isZero else {
                throw .malformed(path: path, offset: position, reason: "bytes follow the last frame")
            }
            end = .ended(offset: position)
            return false
        }
        guard size - position >= FileFormat.frameHeader else {
            return try endAtHole("a frame header of \(size - position) bytes", size)
        }
        window.removeAll()
        windowStart = position
        guard let reason = try readFreshFrame(size) else { return true }
        do {
            return try endAtHole(reason, size)
        } catch {
            // A writer may have written the frame, and a later one, since this reader read these bytes: try once more.
            if isJournal, try readFreshFrame(source.size(path)) == nil { return true }
            throw error
        }
    }

    private mutating func readFreshFrame(_ size: Int) throws(RecordFileError) -> String? {
        window.removeAll()
        windowStart = position
        let ahead = min(size - position, max(readAhead, FileFormat.frameHeader))
        let target = UnsafeMutableRawBufferPointer(start: window.extend(by: ahead), count: ahead)
        window.removeAll(from: try source.read(path, at: position, into: target))
        return try readFrame()
    }

    /// Reads the frame at `position` from the bytes that were read ahead. Returns the reason if there is no valid
    /// frame.
    private mutating func readFrame() throws(RecordFileError) -> String? {
        let start = position - windowStart
        guard start >= 0, start + FileFormat.frameHeader <= window.count,
            let (header, checksum) = FrameHeader.decode(window.memory.baseAddress! + start, file: fileChecksum)
        else { return "there is no frame header" }
        guard header.predecessor == predecessor, header.epoch >= frame?.epoch ?? 0,
            isJournal ? header.firstSequence == nextSequence : header.firstSequence >= nextSequence
        else { return "the frame is none that follows the one before it" }
        guard header.firstSequence <= .max - UInt64(header.count) else { return "its sequences are too large" }
        let length = Int(header.length)
        let first = position + FileFormat.frameHeader
        let isAhead = start + FileFormat.frameHeader + length <= window.count
        if !isAhead {
            let size = try source.size(path)
            guard length <= size - first else { return "the frame has \(size - first) of \(length) bytes" }
        }
        if let knownEnd, first + length > knownEnd.offset { return "the frame is larger than its place" }
        guard length <= maximumFrame else {
            throw .frameTooLarge(path: path, offset: position, bytes: length, limit: maximumFrame)
        }
        payload.removeAll()
        let target = UnsafeMutableRawBufferPointer(start: payload.extend(by: length), count: length)
        if isAhead {
            let from = start + FileFormat.frameHeader
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: window.memory[from..<from + length]))
        }
        let read = isAhead ? length : try source.read(path, at: first, into: target)
        guard read == length, CRC32C.checksum(of: UnsafeRawBufferPointer(target)) == header.payloadChecksum else {
            payload.removeAll()
            return "the checksum of the frame's records is wrong"
        }
        if isJournal { unsynced.add(header, at: position) }
        frameOffset = first
        position = first + length
        predecessor = checksum
        frame = header
        nextSequence = header.firstSequence
        actionsLeft = header.count
        cursor = 0
        end = nil
        return nil
    }

    /// Ends where another file says that this one ends, and checks that the last frame is the one that it names.
    private mutating func endAtKnownEnd(_ known: KnownEnd) throws(RecordFileError) -> Bool {
        guard position == known.offset, predecessor == known.checksum, nextSequence == known.nextSequence else {
            return try endAtHole("its last frame is not the one that the next file names", position)
        }
        payload.removeAll()
        cursor = 0
        end = .ended(offset: position)
        return false
    }

    /// Handles a frame at `position` that is not whole. It is damage if a later frame says that it was synced;
    /// otherwise it is the end of the file.
    private mutating func endAtHole(_ reason: String, _ size: Int) throws(RecordFileError) -> Bool {
        payload.removeAll()
        cursor = 0
        if let knownEnd {
            throw .damaged(
                path: path,
                offset: position,
                firstLost: nextSequence,
                lastLost: max(nextSequence, knownEnd.nextSequence &- 1),
                reason: reason
            )
        }
        let (later, isZero) = try search(from: position, size)
        if let later {
            throw .damaged(
                path: path,
                offset: position,
                firstLost: nextSequence,
                lastLost: later,
                reason: reason
            )
        }
        if isZero {
            end = .open(offset: position)
        } else {
            end = .torn(
                TornTail(
                    offset: position,
                    bytes: size - position,
                    lastSequence: nextSequence &- 1,
                    reason: reason
                )
            )
        }
        return false
    }

    /// Searches the rest of the file for frame headers which say that the action at `start` was synced. Returns the
    /// last action that was synced, and whether all bytes from `start` on are zeros. Reads 1 MiB at a time.
    private func search(from start: Int, _ size: Int) throws(RecordFileError) -> (synced: UInt64?, isZero: Bool) {
        let piece = 1 << 20
        let file = fileChecksum
        let next = nextSequence
        let room = min(piece, max(0, size - start)) + FileFormat.frameHeader
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
        defer { memory.deallocate() }
        var isZero = true
        var synced: UInt64 = 0
        var at = start
        while at < size {
            let count = try source.read(path, at: at, into: memory)
            if count == 0 { break }
            var place = 0
            // Frames begin at multiples of 8.
            while place < piece, place < count {
                guard place + 8 <= count else {
                    isZero = isZero && memory[place..<count].allSatisfy { $0 == 0 }
                    break
                }
                let word = memory.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
                isZero = isZero && word == 0
                if UInt32(truncatingIfNeeded: word) == FileFormat.frameMagic, place + FileFormat.frameHeader <= count,
                    let (header, _) = FrameHeader.decode(UnsafeRawPointer(memory.baseAddress! + place), file: file),
                    header.epoch >= frame?.epoch ?? 0
                {
                    synced = max(synced, header.syncedThrough)
                }
                place += 8
            }
            at += piece
        }
        return (synced >= next ? synced : nil, isZero)
    }
}
