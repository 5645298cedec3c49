// SPDX-License-Identifier: Apache-2.0

/// A time that an operation should not exceed. It was set on one machine, and is compared as a multiple of what an
/// uncontended Mutex takes in the same run.
@MainActor
struct Aim {
    /// What that Mutex takes on the machine for which the aims were set, in nanoseconds.
    static let mutexNanoseconds = 5.8

    let contender: Contender
    /// The same without what the aim is about: the aim is for the difference. Nil: it is for the whole time.
    var base: Contender?
    /// The nanoseconds on that machine.
    let nanoseconds: Double
    /// The allocations of an operation; nil: no aim.
    var mallocs: Double?
    /// What the contender did, when it has run.
    var note: () -> String? = { nil }
}

extension Pairing {
    /// Measures the contender of an aim, in turn with its base if it has one.
    ///
    /// - Parameter mutex: What the Mutex takes here, in nanoseconds.
    func row(_ aim: Aim, mutex: Double) async throws -> Row? {
        let (time, line) = try await LineTransfer.around { () -> Sample? in
            guard let base = aim.base else { return try await measure(aim.contender, runs: pairs) }
            return try await measure(aim.contender, against: [base])?.rivals[0].difference
        }
        guard let time else { return nil }
        let most = (aim.nanoseconds / Aim.mutexNanoseconds * 10).rounded() / 10
        return Row(
            aim.base == nil ? aim.contender.name : "\(aim.contender.name): more",
            time: time,
            mallocs: try await mallocs(aim.contender),
            amount: time.median / mutex,
            targets: [Target(figure: .amount, atMost: most)]
                + (aim.mallocs.map { [Target(figure: .mallocs, atMost: $0)] } ?? []),
            note: ["aim \(Int(aim.nanoseconds)) ns", line.map { "a line: \($0.text)" }, aim.note()].compactMap(\.self)
                .joined(separator: "; ")
        )
    }
}
