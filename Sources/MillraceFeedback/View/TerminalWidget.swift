// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import MillraceObservation
import Observation

/// A text that is rendered from each state of a view model and written to the terminal: the current one first.
///
/// ```swift
/// let widget = TerminalWidget(viewModel: model) { context in
///     "Count: \(context.count)"
/// }
/// ```
///
/// It is built like a `Widget`: from a view model, and a closure that turns a ``Context`` into a text. It gets the
/// states through an `ObservableStore` of `MillraceObservation`. If states come faster than the main queue runs, it
/// skips some of them, but never the last one. A text that equals the previous one is not written again.
///
/// **Threads.** `render` and `write` are called on the main actor. The program must run the main queue, as one with an
/// `async` main does. Releasing the widget ends it.
@MainActor
public final class TerminalWidget<State: Sendable, Event: Sendable> {
    private let viewModel: ViewModel<State, Event>
    private let observable: ObservableStore<Event, State>
    private let render: (Context<State, Event>) -> String
    private let write: (String) -> Void
    private var isDrawPending = false

    /// The text that was written last.
    public private(set) var text: String?

    /// Creates a widget, and draws the current state.
    ///
    /// - Parameters:
    ///   - viewModel: The view model, which the widget keeps.
    ///   - write: The closure that shows a text. Default: ``standardOutput(_:)``.
    ///   - render: The closure that returns the text for a state.
    public init(
        viewModel: ViewModel<State, Event>,
        write: @escaping (String) -> Void = { TerminalWidget.standardOutput($0) },
        render: @escaping (Context<State, Event>) -> String
    ) {
        self.viewModel = viewModel
        self.write = write
        self.render = render
        observable = viewModel.asObservableStore(initialState: viewModel.currentState)
        draw()
    }

    /// Writes a text to standard output: in place of the previous text if standard output is a terminal, otherwise
    /// below it.
    public static func standardOutput(_ text: String) {
        // Moves the cursor to the top, writes the text, clears the rest of each line, and clears everything below.
        let lines =
            isatty(STDOUT_FILENO) == 1
            ? "\u{1B}[H" + text.replacing("\n", with: "\u{1B}[K\n") + "\u{1B}[K\n\u{1B}[J"
            : text + "\n"
        print(lines, terminator: "")
        fflush(nil)
    }

    private func draw() {
        let new = withObservationTracking {
            render(Context(state: observable.state, viewModel: viewModel))
        } onChange: { [weak self] in
            // Called before the change, on the main actor.
            MainActor.assumeIsolated { self?.drawSoon() }
        }
        if new == text { return }
        text = new
        write(new)
    }

    private func drawSoon() {
        guard !isDrawPending else { return }
        isDrawPending = true
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                self?.isDrawPending = false
                self?.draw()
            }
        }
    }
}
