// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCombine

@main
enum Shop {
    @MainActor
    static func main() async {
        var logged = 0
        let bank = Bank()
        let world = World(
            bank: bank,
            rates: { Just(2).setFailureType(to: Error.self).eraseToAnyPublisher() },
            log: { _ in logged += 1 }
        )
        let store = Store(world: world)
        let viewModel = store.cartViewModel()
        var titles: [String] = []
        var cancellables = Set<AnyCancellable>()
        viewModel.$state.sink { titles.append($0.title) }.store(in: &cancellables)

        viewModel.dispatch(.tapped(Item(name: "tea", price: 3)))
        ItemScreen(item: Item(name: "pot", price: 20), viewModel: viewModel).tap()
        viewModel.dispatch(.paid(total: 46))
        store.dispatch(.payment(.pay(total: 2000)))
        await store.drain()
        await store.drain()
        store.dispatch(.cart(.clear))
        await store.drain()

        let turnstile = Turnstile()
        turnstile.dispatch(.clear)

        print(UnitTests().run(), "calls by hand")
        print(viewModel.events, "events,", turnstile.sources)
        print(titles.count, "titles, the last:", viewModel.state.title)
        print(bank.calls, "calls,", logged, "lines")
    }
}
