// SPDX-License-Identifier: Apache-2.0

/// A time that an operation should not exceed. It was set on one machine, and is compared as a multiple of what an
/// uncontended Mutex takes beside it in the same run.
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
}

extension Pairing {
    /// Measures the contender of an aim, in turn with the Mutex.
    func row(_ aim: Aim, mutex: Contender) async throws -> Row? {
        let rivals = [mutex] + (aim.base.map { [$0] } ?? [])
        guard let outcome = try await measure(aim.contender, against: rivals) else { return nil }
        let yardstick = outcome.rivals[0]
        let time = aim.base == nil ? outcome.subject : outcome.rivals[1].difference
        let times = aim.base == nil ? yardstick.ratio.median : time.median / yardstick.time.median
        let mallocs = try await mallocs(aim.contender)
        let most = (aim.nanoseconds / Aim.mutexNanoseconds * 10).rounded() / 10
        return Row(
            aim.base == nil ? aim.contender.name : "\(aim.contender.name): more",
            time: time,
            mallocs: mallocs,
            amount: times,
            targets: [Target(figure: .amount, atMost: most)]
                + (aim.mallocs.map { [Target(figure: .mallocs, atMost: $0)] } ?? []),
            note: "\(Int(aim.nanoseconds)) ns there"
        )
    }
}
