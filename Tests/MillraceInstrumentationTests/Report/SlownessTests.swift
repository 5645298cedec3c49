// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation
import TestSupport
import Testing

/// Which side is slow, and whose work it is: with the figures that show it.
@Suite("Why is it slow", .timeLimit(.minutes(5)))
struct SlownessTests {
    /// A thousand actions of one kind, each waiting and working for so many nanoseconds.
    private func report(
        waits: [UInt64],
        work: UInt64,
        active: Duration,
        sampling: Int = 1
    ) -> SlownessReport {
        let wait = SampleSnapshots.latency(waits)
        let works = SampleSnapshots.latency(waits.map { _ in work })
        return SlownessReport(
            SampleSnapshots.snapshot(
                actions: UInt64(waits.count * sampling),
                measured: UInt64(waits.count),
                sampling: sampling,
                active: active,
                stages: [StageSnapshot(name: "reducers", role: .reducers, latency: works)],
                kinds: [
                    KindSnapshot(
                        name: "a",
                        count: UInt64(waits.count),
                        wait: wait,
                        work: works,
                        total: works,
                        nanosecondsByStage: [work * UInt64(waits.count)]
                    )
                ]
            )
        )
    }

    @Test("all actions at once are a backlog, told with the rate at which it was drained", arguments: [1, 16])
    func backlog(sampling: Int) {
        // Each waits for all that were before it.
        let waits = (1...1000).map { UInt64($0 * 10_000 * sampling) }
        for active in [Duration.milliseconds(10 * sampling), .seconds(60)] {
            let hint = report(waits: waits, work: 10_000, active: active, sampling: sampling).findings[0].hint
            #expect(
                hint.contains("one backlog") && hint.contains("drained it at 100 k/s: compare this rate"),
                "\(hint)"
            )
            #expect(!hint.contains("bottleneck") && !hint.contains("capacity"))
        }
    }

    @Test("a pipeline that is always busy is the bottleneck; one that idles waits for the producers")
    func sides() {
        let waits = Array(repeating: 100_000 as UInt64, count: 1000)
        func hint(_ active: Duration) -> String {
            report(waits: waits, work: 10_000, active: active).findings[0].hint
        }
        let busy = hint(.microseconds(10_100))
        #expect(
            busy.hasPrefix(
                "The pipeline is the bottleneck: it is busy 99.0 % of the time, and finishes 99.0 k/s. Make"
            ),
            "\(busy)"
        )
        let nearly = hint(.milliseconds(12))
        #expect(
            nearly.hasPrefix(
                "The pipeline is nearly the bottleneck: it is busy 83 % of the time, finishes 83.3 k/s, and could finish "
            ),
            "\(nearly)"
        )
        let idle = hint(.milliseconds(100))
        #expect(
            idle.hasPrefix(
                """
                The producers are the slower side: the pipeline is busy 10 % of the time, finishes 10.0 k/s, and could \
                finish 100 k/s. Actions wait because they come in bursts (about 20 at once)
                """
            ),
            "\(idle)"
        )
        #expect(!idle.contains("On average"), "\(idle)")
        // A long queue of a pipeline that is seldom busy: 10,000 a second, 20 ms each.
        let waiting = report(waits: waits.map { $0 * 200 }, work: 10_000, active: .milliseconds(100)).findings[0].hint
        #expect(waiting.contains("On average 200 actions waited.") && !waiting.contains("at once)"), "\(waiting)")
        // Where nothing waits, too.
        let working = report(waits: waits.map { _ in 1 }, work: 10_000, active: .milliseconds(100)).findings[0].hint
        #expect(working.contains("The producers are the slower side: the pipeline is busy 10 %"), "\(working)")
    }

    @Test("a report without measurements says why: off, no action, none in the sample, another probe")
    func nothing() async {
        func text(_ snapshot: InstrumentationSnapshot) -> String { SlownessReport(snapshot).findings[0].text }
        func hint(_ snapshot: InstrumentationSnapshot) -> String { SlownessReport(snapshot).findings[0].hint }
        let store = jobStore(.caller)
        let first = Instrumentation(store, isOn: false)
        for _ in 0..<100 { store.dispatch(.small) }
        #expect(text(await first.snapshot()) == "Nothing was measured.")
        #expect(hint(await first.snapshot()).hasPrefix("Switch the instrumentation on"))
        first.turnOn(oneIn: 1 << 20)
        #expect(hint(await first.snapshot()).hasPrefix("No action was finished"))
        store.dispatch(.small)
        #expect(text(await first.nextInterval()).hasSuffix("1 action was finished, and none of them is in the sample."))
        first.turnOn()
        let second = Instrumentation(store)
        for _ in 0..<100 { store.dispatch(.small) }
        let replaced = text(await first.nextInterval())
        #expect(replaced.hasSuffix("100 actions were finished: the store has another probe now."))
        #expect(text(await second.nextInterval()).hasPrefix("Nothing") == false)
        first.turnOn()
        for _ in 0..<100 { store.dispatch(.small) }
        #expect(text(await first.nextInterval()).hasPrefix("Nothing") == false)
    }

    @Test("a batch run of a store says so")
    func batchRun() async {
        let store = ReduxStoreBase<Job, Int>(
            initialState: 0,
            reducer: .reduce { _, _ in work(for: .microseconds(50)) },
            engine: .thread(),
            publication: .onDemand
        )
        let instrumentation = Instrumentation(store)
        await store.drain()
        store.dispatch(contentsOf: Array(repeating: .small, count: 2000))
        let report = SlownessReport(await instrumentation.snapshot())
        #expect(report.findings[0].hint.contains("one backlog"), "\(report.findings[0])")
    }

    /// Reducers that take so long for each of two kinds.
    private func reducers(_ ping: UInt64, _ pong: UInt64, published: Int = 0) -> SlownessFinding {
        func latency(_ time: UInt64, _ count: Int = 200) -> LatencyDistribution {
            SampleSnapshots.latency(Array(repeating: time, count: count))
        }
        func kind(_ name: String, _ time: UInt64) -> KindSnapshot {
            KindSnapshot(
                name: name,
                count: 200,
                wait: latency(100),
                work: latency(time),
                total: latency(time),
                nanosecondsByStage: [time * 200, 0]
            )
        }
        var all = latency(ping)
        all.add(latency(pong))
        return SlownessReport(
            SampleSnapshots.snapshot(
                actions: 400,
                stages: [
                    StageSnapshot(name: "reducers", role: .reducers, latency: all),
                    StageSnapshot(name: "publication", role: .publication, latency: latency(0, published)),
                ],
                kinds: [kind("ping", ping), kind("pong", pong)]
            )
        ).findings[1]
    }

    @Test("reducers that may copy what somebody holds are not blamed alone; figures say which it is")
    func copies() {
        let even = reducers(80_000, 90_000)
        #expect(
            even.text.hasPrefix(
                """
                Of the work 100 % is the reducers, or a copy that they must make because a lift or other code keeps the \
                state,
                """
            )
        )
        #expect(
            even.text.hasSuffix(
                """
                 The time is nearly the same for each kind, which is a sign of a copy: from 80.0 µs for .ping to 90.0 µs \
                for .pong.
                """
            ),
            "\(even.text)"
        )
        #expect(even.hint.hasPrefix("Find the code that still holds a part of the state when the reducers run"))
        let uneven = reducers(500, 90_000)
        #expect(
            uneven.text.hasSuffix(
                """
                 The time depends on the kind, which is a sign of the reducers' own work: from 500 ns for .ping to \
                90.0 µs for .pong.
                """
            ),
            "\(uneven.text)"
        )
        let published = reducers(80_000, 90_000, published: 400)
        #expect(
            published.text.hasSuffix(
                " The state was published 400 times. A published state is kept, so the next change makes a copy."
            )
        )
        // So little is no copy of anything large.
        let small = reducers(500, 600)
        #expect(!small.text.contains("copy") && small.text.hasPrefix("Of the work 100 % is the reducers, "))
    }
}
