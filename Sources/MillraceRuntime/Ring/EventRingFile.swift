// SPDX-License-Identifier: Apache-2.0

/// Reads the file of an ``EventRing``: while its writer runs, after it ended, and after it was killed.
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
    /// Copies what is in the file, and changes nothing in it. Any thread and process.
    ///
    /// Whatever the bytes of the file are, the result is a snapshot or an error. The header has a checksum; of an entry
    /// only the stamp is checked, so a word that was changed on the disk is not noticed.
    ///
    /// Takes a few system calls for each 64 KiB, and three to seven times the memory that the file takes: most where
    /// entries are of one word.
    /// - Throws: any ``EventRingError`` of reading; ``EventRingError/damaged(path:reason:partial:)`` carries what could
    ///   be read.
    public static func read(_ path: String) throws(EventRingError) -> EventRingSnapshot {
        let file = try RingFile(path)
        let header = try file.header()
        var reader = RingFileReader(file: file, header: header)
        return try reader.read()
    }
}
