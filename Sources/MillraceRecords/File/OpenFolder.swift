// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The folder of a file, so that the file can be removed even if the folder was renamed.
struct OpenFolder: ~Copyable {
    private let descriptor: Int32

    /// Opens the folder of a path. If it cannot be opened, files are removed by their paths.
    init(of path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        descriptor = path.utf8.contains(0) ? -1 : open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Removes a file of the folder.
    func remove(_ path: String) {
        guard descriptor >= 0 else {
            unlink(path)
            return
        }
        unlinkat(descriptor, URL(fileURLWithPath: path).lastPathComponent, 0)
    }
}
