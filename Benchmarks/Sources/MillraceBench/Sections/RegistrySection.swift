// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import MillraceEffects

/// The effects and the memory that are still held after ten million effects.
struct RegistrySection: Section {
    let id = "registry"
    let isShort: Bool

    func measure(_ pairing: Pairing) async throws -> [Table] {
        [Table(title: "After \(count) effects", rows: try await memoryRows(pairing))]
    }

    private var count: Int { isShort ? 100_000 : 10_000_000 }

    private func memoryRows(_ pairing: Pairing) async throws -> [Row] {
        var rows: [Row] = []
        for (name, policy) in [
            ("without a token", nil), ("with a token", EffectPolicy.replace), ("with a token, serial", .serial),
        ] {
            pairing.progress.show("\(count) effects \(name)")
            let ends = Ends()
            let middleware = SimpleEffectMiddleware<Int, Int>.onAction { number, _, _ in
                let effect = NumberEffect { _, sink in ends.end(sink, number) }
                return policy.map { effect.withToken(number & 1023, policy: $0) } ?? effect
            }.bound(to: { 0 })
            let sent = SentCounter()
            let output = AnyActionHandler<Int> { _ in sent.add() }
            func run(_ numbers: Range<Int>) {
                for number in numbers {
                    EffectLoop.act(middleware, number, { 0 }, output)
                    ends.endLast()
                }
            }
            run(0..<count / 10)
            let before = bench_resident_bytes()
            run(0..<count)
            let after = bench_resident_bytes()
            let figures = middleware.figures
            let total = count + count / 10
            guard sent.count == total, figures.completed == total else {
                throw BenchmarkError.wrongResult(contender: name, expected: "\(total)", found: "\(figures)")
            }
            rows.append(
                Row(
                    "\(name): MB that memory has grown",
                    amount: Double(after - min(before, after)) / 1_048_576,
                    targets: [Target(figure: .amount, atMost: 4)]
                )
            )
            rows.append(
                Row(
                    "\(name): effects in the registry",
                    amount: Double(figures.running + figures.waiting),
                    targets: [Target(figure: .amount, atMost: 0)]
                )
            )
        }
        return rows
    }
}
