// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A line on the terminal that shows what is being measured. Without a terminal it shows nothing.
@MainActor
final class Progress {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var section = ""

    func begin(section: String) { self.section = section }

    func show(_ text: String) {
        guard isShown else { return }
        write("\r\u{1B}[2K\(section): \(text)".prefix(110))
    }

    func clear() {
        guard isShown else { return }
        write("\r\u{1B}[2K")
    }

    private func write(_ text: some StringProtocol) {
        var text = String(text)
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
