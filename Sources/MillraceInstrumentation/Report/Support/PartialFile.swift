// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that is written beside its target, and then renamed to it or removed.
final class PartialFile {
    /// Open until the user of this object closes it.
    let descriptor: CInt
    /// The path of the file.
    let name: String
    /// The folder, so that the file is found there even if the folder was renamed. Negative if it cannot be read.
    private let folder: CInt

    init(_ descriptor: CInt, _ name: String) {
        (self.descriptor, self.name) = (descriptor, name)
        let path = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    deinit { if folder >= 0 { close(folder) } }

    /// Removes the file, unless it was renamed.
    func remove() {
        guard folder >= 0 else {
            unlink(name)
            return
        }
        unlinkat(folder, name.lastIndex(of: "/").map { String(name[name.index(after: $0)...]) } ?? name, 0)
    }
}
