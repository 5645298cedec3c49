// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    import CMillraceStress
    import Dispatch
    import Synchronization
    import TestSupport
    import Testing

    @testable import Millrace

    /// A store whose memory cannot be had. The failing allocations are those of the thread that asks for them.
    @Suite("Stores and allocations that fail", .timeLimit(.minutes(5)))
    struct AllocationFaultTests {
        @Test("each way into a store without memory says so, and no action is lost", arguments: engines)
        func noMemory(engine: StoreEngine) async throws {
            let store = ReduxStoreBase(
                initialState: [Int](),
                reducer: .reduce { number, numbers in numbers.append(number) },
                engine: engine,
                publication: .onDemand
            )
            // Nothing is asked of the store in between that another thread would do.
            let (accepted, refused) = fill(store)
            await store.drain()
            #expect(refused > 2)
            #expect(store.state == accepted)
            let metrics = store.metrics
            #expect(metrics.rejected == UInt64(refused))
            #expect(metrics.offered == metrics.reduced + metrics.rejected)
        }

        /// Offers actions and lets the segments for them fail by turns. Returns those that were accepted, in order, and how many
        /// were not.
        private func fill(_ store: ReduxStoreBase<Int, [Int]>) -> (accepted: [Int], refused: Int) {
            var (accepted, refused) = ([Int](), 0)
            millrace_fault_plan(1, .max)
            // Inside a read section no thread of a `.caller` store handles actions, so that its queue fills, too.
            store.withState { _ in
                for number in 0..<3_000 {
                    switch store.offer(number) {
                    case .accepted: accepted.append(number)
                    case .outOfMemory:
                        refused += 1
                        // This memory can be had, the next one cannot.
                        millrace_fault_plan(2, .max)
                    default: Issue.record("not an answer to a lack of memory")
                    }
                }
            }
            millrace_fault_plan(0, 0)
            return (accepted, refused)
        }

        @Test("dispatch(contentsOf:) goes on with the next action when there is no memory for one", arguments: engines)
        func runs(engine: StoreEngine) async throws {
            let store = ReduxStoreBase(
                initialState: [Int](),
                reducer: .reduce { number, numbers in numbers.append(number) },
                engine: engine,
                publication: .onDemand
            )
            // Lists this thread as a reader now, because that allocates, too.
            store.withState { _ in }
            millrace_fault_plan(1, 3)
            // Inside a read section, as in `fill`.
            store.withState { _ in store.dispatch(contentsOf: Array(0..<3_000)) }
            let sites = millrace_fault_sites()
            millrace_fault_plan(0, 0)
            await store.drain()
            // Some of the failures of a `.caller` store are those of the thread that is to run its pipeline.
            let rejected = Int(store.metrics.rejected)
            #expect(sites > 3 && (engine == .caller ? 1...3 : 3...3).contains(rejected))
            let state = store.state
            #expect(state.count == 3_000 - rejected && state == state.sorted() && Set(state).count == state.count)
        }

        @Test("messages that a handler sends while there is no memory are delivered once each, after its batch")
        func messagesOfTheHandler() async {
            let core = Shared<StoreCore<Int, Int>?>(nil)
            let (delivered, sites) = (Recorder<Int>(), Shared<UInt64>(0))
            let (sent, early) = (Shared(0), Shared(0))
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(Int.self),
                middleware: Handle<Int, Int> { action, _, _ in
                    guard action == 1, let core = core.value else { return .pure() }
                    millrace_fault_plan(1, .max)
                    for number in 0..<3_000 {
                        if core.send({ delivered.record(number) }) { sent.value += 1 }
                    }
                    sites.value = millrace_fault_sites()
                    millrace_fault_plan(0, 0)
                    early.value = delivered.count
                    return .pure()
                },
                engine: .thread()
            )
            core.value = store.core
            store.dispatch(1)
            await store.drain()
            #expect(await eventually { delivered.count == 3_000 })
            #expect(sites.value > 0 && Set(delivered.all).count == 3_000)
            #expect(sent.value == 3_000 && early.value == 0)
            #expect(store.state == 1)
            core.value = nil
        }

        @Test("another thread that sends a message waits for memory, and goes on as soon as there is some")
        func messageOfAnotherThread() async {
            let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
            let delivered = Recorder<Int>()
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(Int.self),
                middleware: Handle<Int, Int> { _, _, _ in
                    entered.value = true
                    gate.wait()
                    return .pure()
                },
                engine: .thread()
            )
            store.dispatch(0)
            #expect(await eventually { entered.value })
            var sites: UInt64 = 0
            for number in 0..<3_000 {
                // Each segment is there at the third attempt.
                millrace_fault_plan(1, 2)
                _ = store.core.send { delivered.record(number) }
                sites += millrace_fault_sites()
                millrace_fault_plan(0, 0)
            }
            gate.signal()
            await store.drain()
            #expect(sites >= 3)
            #expect(delivered.all == Array(0..<3_000))
        }

        @Test("a store for which there is no memory stops the program, and says why", arguments: [1, 2, 3])
        func noStore(site: UInt64) async throws {
            let result = try await #require(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) { [site = site as UInt64] in
                millrace_fault_plan(site, 1)
                _ = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
            }
            let message = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(message.contains("a store could not be made: there is no memory"))
        }

        @Test("an urgent action that finds no memory for its queue is rejected; the next one is handled")
        func urgent() async {
            let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .thread())
            millrace_fault_plan(1, .max)
            #expect(store.dispatch(urgent: 1) == .outOfMemory)
            millrace_fault_plan(0, 0)
            #expect(store.metrics.rejected == 1)
            #expect(store.dispatch(urgent: 2) == .accepted)
            await store.drain()
            #expect(store.state == 1)
        }

        @Test("internal actions without memory for their queue go to the tail of the shared one; none is lost")
        func internalActions() async {
            let (outputs, first) = (Shared<[Int]>([]), 1_000)
            let sites = Shared<UInt64>(0)
            let store = ReduxStoreBase(
                initialState: [Int](),
                reducer: .reduce { number, numbers in numbers.append(number) },
                middleware: Handle<Int, [Int]> { number, _, _ in
                    guard number == first else { return .pure() }
                    return IO { output in
                        // Of this thread, the pipeline's. The queue has room for some; a chunk more cannot be had.
                        for child in 0..<150 {
                            millrace_fault_plan(1, 1)
                            output.dispatch(child)
                            sites.update { $0 += millrace_fault_sites() }
                            outputs.update { $0.append(child) }
                        }
                        millrace_fault_plan(0, 0)
                    }
                },
                engine: .caller,
                order: .internalFirst
            )
            store.dispatch(first)
            await store.drain()
            #expect(sites.value > 1)
            #expect(store.state.first == first && store.state.dropFirst().sorted() == outputs.value)
            #expect(store.metrics.reduced == 151 && store.metrics.rejected == 0)
        }

        @Test("a publication without memory keeps the state that was published before, and is made up for")
        func publication() async {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { number, state in state = number },
                engine: .caller,
                publication: .everyAction
            )
            store.dispatch(1)
            // While a thread reads, no old state gives its memory back. Spare memory is used up first.
            let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let reader: Void = elsewhere {
                store.withState { _ in
                    isInside.signal()
                    mayLeave.wait()
                }
            }
            await elsewhere { isInside.wait() }
            // The `.caller` engine publishes on this thread.
            millrace_fault_plan(1, .max)
            for number in 2...400 { store.dispatch(number) }
            millrace_fault_plan(0, 0)
            #expect((1..<400).contains(store.state))
            #expect(store.metrics.reduced == 400)
            mayLeave.signal()
            await reader
            store.dispatch(401)
            #expect(store.state == 401)
        }

        @Test("a store for which the system has no thread handles actions on the threads of its callers")
        func noThread() {
            func make() -> ReduxStoreBase<Int, Int> {
                ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .thread())
            }
            millrace_fault_plan(0, 0)
            let first = make()
            // The last one was its thread.
            let sites = millrace_fault_sites()
            millrace_fault_plan(sites, 1)
            let store = make()
            millrace_fault_plan(0, 0)
            #expect(first.engine == .thread() && store.engine == .caller)
            store.dispatch(1)
            #expect(store.metrics.reduced == 1)
        }
    }
#endif
