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
