// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import MillraceCore

@Suite("EffectProbeCell")
struct EffectProbeCellTests {
    final class Probe: EffectProbe {
        let log = Recorder<String>()

        func effectBegan(_ meter: EffectMeter) -> UInt64 {
            log.record("began \(meter.name?.description ?? "")")
            return 5
        }

        func effectEnded(_ meter: EffectMeter, began: UInt64, isCancelled: Bool) {
            log.record("\(isCancelled ? "cancelled" : "ended") \(began)")
        }
    }

    @Test("meters look at it, whenever they were made; who began a measurement is told of its end")
    func meters() {
        let cell = EffectProbeCell()
        let (early, first, second) = (EffectMeter(name: "early", cell: cell), Probe(), Probe())
        #expect(!early.isMeasuring && early.begin() == nil)
        cell.set(first)
        let late = EffectMeter(name: "late", cell: cell)
        #expect(early.isMeasuring && late.isMeasuring)
        let run = late.begin()
        cell.set(second)
        cell.remove(first)
        #expect(late.isMeasuring, "it was not the one any more")
        early.begin()?.end(isCancelled: true)
        cell.remove(second)
        run?.end(isCancelled: false)
        #expect(!late.isMeasuring && late.begin() == nil)
        #expect(first.log.all == ["began late", "ended 5"])
        #expect(second.log.all == ["began early", "cancelled 5"])
    }
}
