// SPDX-License-Identifier: Apache-2.0

internal import MillraceRecords

/// A reader of one file of a journal. A class, so that those who hold it can change what it is.
final class FileRecords {
    @exclusivity(unchecked)
    var frames: FrameReader

    /// Opens a file, and reads its header.
    init<Folder: JournalFolder>(_ folder: Folder, _ name: String, maximumFrame: Int) throws(JournalError) {
        let path = "\(folder.path)/\(name)"
        let file = FileBytes(file: try system(try folder.open(name, forWriting: false)), path: path)
        frames = try records(try FrameReader(path: path, file: file, maximumFrame: maximumFrame))
    }

    func next() throws(JournalError) -> RawRecord? {
        do { return try frames.next() } catch { throw JournalError(error) }
    }

    func next(into target: UnsafeMutableBufferPointer<RecordView>) throws(JournalError) -> Int {
        do { return try frames.next(into: target) } catch { throw JournalError(error) }
    }
}

/// A file of a journal, as a reader of frames sees it.
struct FileBytes<File: JournalFile>: RandomAccess {
    let file: File
    let path: String

    func size() throws(RecordFileError) -> Int {
        do { return try file.size() } catch { throw .system(call: error.call, path: path, reason: error.reason) }
    }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(RecordFileError) -> Int {
        do {
            return try file.read(at: offset, into: target)
        } catch {
            throw .system(call: error.call, path: path, reason: error.reason)
        }
    }
}
