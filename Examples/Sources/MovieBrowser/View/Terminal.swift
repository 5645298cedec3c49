// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

/// The view: draws the screen whenever it changes, and remembers what it drew.
@MainActor
final class Terminal {
    private(set) var drawn: [BrowserScreen] = []
    private var drawing: AnyCancellable?

    init(_ model: BrowserModel) {
        drawing = model.$state.sink { [weak self] screen in self?.draw(screen) }
    }

    private func draw(_ screen: BrowserScreen) {
        drawn.append(screen)
        let field = "[\(screen.text)]".padding(to: 8)
        print("\(field) \(screen.status)")
        for row in screen.rows.prefix(3) {
            print("          \(row.isFavourite ? "★" : "☆") \(row.title)")
        }
        if screen.rows.count > 3 { print("          … and \(screen.rows.count - 3) more") }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
