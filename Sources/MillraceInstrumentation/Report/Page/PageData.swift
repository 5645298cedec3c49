// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The data for the page's script: figures, points of curves, and the heat map.
struct PageData {
    let snapshot: InstrumentationSnapshot

    init(_ snapshot: InstrumentationSnapshot) {
        self.snapshot = snapshot
    }

    var json: JSON {
        let slowness = SlownessReport(snapshot)
        let (waiting, working) = Decimal.percents(slowness.waitingShare)
        return .object([
            ("since", .number(snapshot.since / 1_000_000)), ("until", .number(snapshot.until / 1_000_000)),
            ("span", .number(snapshot.until - min(snapshot.since, snapshot.until))),
            ("active", .number(snapshot.active.wholeNanoseconds)),
            ("actions", .number(snapshot.actions)), ("measured", .number(snapshot.measured)),
            ("sampling", .text(snapshot.sampledText ?? "")), ("scale", .decimal(snapshot.scale)),
            ("memory", .text(Decimal.bytes(snapshot.memory))),
            ("mostMemory", .text(Decimal.bytes(snapshot.mostMemory))),
            ("remark", .text(snapshot.remark ?? "")), ("slowness", slowness.json),
            // The same texts as in the findings, rounded in one place.
            ("waiting", .text(waiting)), ("working", .text(working)),
            ("busy", .text(Decimal.percent(slowness.busyShare))),
            ("parts", .array(slowness.shares.parts.prefix(SlownessReport.mostRows).map { part($0, slowness.shares) })),
            (
                "kindShares",
                .array(slowness.shares.kinds.prefix(SlownessReport.mostRows).map { share($0, slowness.shares) })
            ),
            (
                "stages",
                .array(
                    snapshot.stages.map { stage in
                        .object(
                            [("name", .text(Escaping.plain(stage.name))), ("role", .text(stage.role.rawValue))]
                                + Self.figures(stage.latency)
                        )
                    }
                )
            ),
            (
                "kinds",
                .array(
                    snapshot.kinds.map { kind in
                        .object([
                            ("name", .text(SlownessShares.title(kind.name))),
                            ("wait", .object(Self.figures(kind.wait))),
                            ("work", .object(Self.figures(kind.work))),
                            ("total", .object(Self.figures(kind.total))),
                        ])
                    }
                )
            ),
            (
                "effects",
                .array(
                    snapshot.effects.map { effect in
                        .object(
                            [
                                ("name", .text(Escaping.plain(effect.name))), ("started", .number(effect.started)),
                                ("cancelled", .number(effect.cancelled)),
                            ] + Self.figures(effect.latency)
                        )
                    }
                )
            ),
            ("series", snapshot.series.json),
        ])
    }

    private func part(_ part: SlownessShares.Part, _ all: SlownessShares) -> JSON {
        .object([
            ("stage", .text(part.name)), ("kind", .text(part.kind)), ("time", .decimal(part.time)),
            ("share", .text(Decimal.percent(part.time / all.working))),
        ])
    }

    private func share(_ kind: SlownessShares.Kind, _ all: SlownessShares) -> JSON {
        .object([
            ("name", .text(kind.name)), ("waiting", .decimal(kind.waiting)), ("working", .decimal(kind.working)),
            ("share", .text(Decimal.percent(kind.time / all.time))),
        ])
    }

    /// The figures, and the points of the curve: twelve from 0 % to 90 %, twelve to 99 %, and so on, up to the last
    /// time.
    private static func figures(_ latency: LatencyDistribution) -> [(String, JSON)] {
        var percentiles: [Double] = []
        var (nine, part, step) = (1.0, 1.0, 0)
        while latency.count > 0, part * Double(latency.count) >= nine {
            percentiles.append(100 * (1 - part / nine))
            step += 1
            // The twelfth root of 1/10. `part` is set to 1 again at 90 %, 99 % and so on, so that these are exact.
            part *= 0.825404185268018
            if step % 12 == 0 { (nine, part) = (nine * 10, 1) }
        }
        return LatencySummary(latency).members + [
            ("mean", .number(latency.mean)), ("curve", .numbers(latency.values(atPercentiles: percentiles))),
        ]
    }
}
