// SPDX-License-Identifier: Apache-2.0

/// Reads the file of an ``EventRing``: while its writer runs, after the writer ended, and after it was killed.
///
/// ```swift
/// do {
///     let snapshot = try EventRingFile.read("flight.ring")
///     print(snapshot.entries.count, "of process", snapshot.origin.processID)
/// } catch .damaged(_, _, let partial) {
///     print("at least", partial.entries.count)
/// } catch {
///     print(error)
/// }
/// ```
public enum EventRingFile {
    /// Copies the content of the file, and changes nothing in it. Any thread and process.
    ///
    /// Whatever the bytes of the file are, the result is a snapshot or an error. The header has a checksum. In an entry
    /// only the stamp is checked, so a word that was changed on the disk is not detected.
    ///
    /// The call makes a few system calls for each 64 KiB. It needs three to seven times the size of the file as memory,
    /// the most for entries of one word.
    /// - Throws: Any ``EventRingError`` of reading. ``EventRingError/damaged(path:reason:partial:)`` carries the
    ///   entries and texts that could be read.
    public static func read(_ path: String) throws(EventRingError) -> EventRingSnapshot {
        let file = try RingFile(path)
        let header = try file.header()
        var reader = RingFileReader(file: file, header: header)
        return try reader.read()
    }
}
