// SPDX-License-Identifier: Apache-2.0

package import MillraceFeedback

/// One page of titles.
package struct Page: Codable, Sendable, Equatable {
    package var titles: [String]
    package var isLast: Bool
}

package struct InfiniteList: Sendable, Equatable {
    package var titles: [String] = []
    package var pages = 0
    package var status = Status.loading

    package init() {}

    package enum Status: Sendable, Equatable {
        case loading
        case idle
        case failed(String)
        case complete
    }

    package enum Event: Sendable, Equatable {
        case scrolledToEnd
        case retry
        case loaded(Page)
        case failed(String)
    }

    /// The page that is wanted now.
    var wanted: Int? { status == .loading ? pages : nil }

    package static let reducer = Reducer<Event, InfiniteList>.reduce { event, list in
        switch (event, list.status) {
        case (.scrolledToEnd, .idle), (.retry, .failed):
            list.status = .loading
        case (.loaded(let page), .loading):
            list.titles += page.titles
            list.pages += 1
            list.status = page.isLast ? .complete : .idle
        case (.failed(let reason), .loading):
            list.status = .failed(reason)
        default: break
        }
    }

    /// Loads the page that is wanted. A page that is no longer wanted is given up.
    package static func loading(
        from load: @escaping @Sendable (Int) async throws -> Page
    ) -> Feedback<InfiniteList, Event> {
        Feedback(skippingRepeated: \.wanted) { number in
            .task { _ in
                .loaded(try await load(number))
            } catchErrors: {
                .failed("\($0)")
            }
        }
    }
}

extension Context<InfiniteList, InfiniteList.Event> {
    /// What is on the screen: the last titles, and what comes below them.
    package var screen: String {
        let end =
            switch self.status {
            case .loading: "  …"
            case .idle: "  ↓ more"
            case .failed(let reason): "  ✗ \(reason); retry?"
            case .complete: "  that is all"
            }
        return (self.titles.suffix(5).map { "  \($0)" } + [end]).joined(separator: "\n")
    }
}
