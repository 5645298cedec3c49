// SPDX-License-Identifier: Apache-2.0

extension Page {
    /// The heat map of latencies over time, and the throughput below it, with the same time axis.
    static let timeline = #"""
        (function () {
          const S = D.series, columns = S.columns.map((flat) => {
            const cells = [];
            for (let i = 0; i < flat.length; i += 2) cells.push([flat[i], flat[i + 1] * D.scale]);
            return cells;
          });
          const rowsUsed = columns.flat().map((c) => c[0]);
          if (!rowsUsed.length) { $("time").hidden = true; return; }
          const bottom = Math.max(0, Math.min(...rowsUsed) - 1);
          const top = Math.min(S.rows.length - 1, rowsUsed.reduce((a, b) => Math.max(a, b), 0) + 1);
          const most = columns.flat().reduce((a, c) => Math.max(a, c[1]), 1);
          const totals = columns.map((cells) => cells.reduce((a, c) => a + c[1], 0));
          const N = columns.length, wide = S.columnNanoseconds;
          /* The last column may not be complete. */
          const left = D.span - S.offsetNanoseconds - (N - 1) * wide;
          const lengths = totals.map((_, i) => i < N - 1 || left <= 0 || left > wide ? wide : left);
          const rates = totals.map((n, i) => lengths[i] < wide / 5 && N > 1 ? null : n / lengths[i] * 1e9);
          const L = 58, R = 14;
          const when = (i) => S.offsetNanoseconds + i * wide;
          const clock = (ns) => moment(D.since + ns / 1e6).slice(11);

          function ticks(W) {
            const span = N * wide, result = [];
            const want = span / Math.max(2, (W - L - R) / 90);
            const steps = [];
            for (let p = 1e3; p < 1e9; p *= 10) steps.push(p, 2 * p, 5 * p);
            for (const m of [1 / 60, 1 / 30, 1 / 12, 1 / 6, .25, .5, 1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440])
              steps.push(Math.round(m * 60) * 1e9);
            let step = steps.find((x) => x >= want) || Math.ceil(want / 86400e9) * 86400e9;
            const text = tickLabels(step, when(N));
            for (let t = Math.ceil(when(0) / step) * step; t <= when(N); t += step) result.push([t, text(t)]);
            return result;
          }
          /* The time since the beginning, with the precision of a column. */
          const after = tickLabels(10 ** Math.floor(Math.log10(wide)), when(N));
          const column = (event, box, W) =>
            Math.max(0, Math.min(N - 1, Math.floor((event.clientX - box.left - L) / (W - L - R) * N)));

          function ramp() {
            const stops = css("--heat").split(" ").map((c) => [1, 3, 5].map((i) => parseInt(c.substr(i, 2), 16)));
            return (v) => {
              const x = Math.max(0, Math.min(.9999, v)) * (stops.length - 1), i = Math.floor(x), f = x - i;
              return "rgb(" + stops[i].map((a, k) => Math.round(a + (stops[i + 1][k] - a) * f)).join() + ")";
            };
          }

          const heat = h("div", { class: "frame" }), key = h("div", { class: "key", style: "margin:6px 0 14px" });
          $("heat").append(heat, key);
          function drawHeat() {
            const W = heat.clientWidth, H = W < 520 ? 240 : 300, T = 6, B = 24, scale = devicePixelRatio || 1;
            const canvas = h("canvas", { width: W * scale, height: H * scale, style: `height:${H}px`, role: "img",
              "aria-label": "How many actions took how long, over time" });
            const g = canvas.getContext("2d"), colour = ramp();
            g.scale(scale, scale);
            const rows = top - bottom + 1;
            const X = (i) => L + (W - L - R) * i / N, Y = (r) => H - B - (H - T - B) * (r - bottom) / rows;
            g.font = "12px " + getComputedStyle(document.body).fontFamily;
            g.strokeStyle = css("--line");
            g.fillStyle = css("--soft");
            g.textAlign = "right";
            g.textBaseline = "middle";
            let lastY = Infinity;
            for (let d = 0; d < 14; d++) {
              const ns = Math.pow(10, d);
              let r = S.rows.findIndex((lowest) => lowest > ns) - 1;
              if (r < 0 || r < bottom || r > top) continue;
              const low = S.rows[r] || 1, f = Math.log(ns / low) / Math.log(S.rows[r + 1] / low);
              const y = Y(r + f);
              if (lastY - y < 18) continue;
              lastY = y;
              g.beginPath(); g.moveTo(L, y); g.lineTo(W - R, y); g.stroke();
              g.fillText(shortTime(ns), L - 8, y);
            }
            const snap = (v) => Math.round(v * scale) / scale;
            columns.forEach((cells, i) => {
              const x = snap(X(i)), w = Math.max(1 / scale, snap(X(i + 1)) - x);
              for (const [r, n] of cells) {
                const y = snap(Y(r + 1));
                g.fillStyle = colour(most > 1 ? Math.log(Math.max(1, n)) / Math.log(most) : 1);
                g.fillRect(x, y, w, snap(Y(r)) - y);
              }
            });
            g.fillStyle = css("--soft");
            g.textBaseline = "alphabetic";
            for (const [t, text] of ticks(W)) {
              const x = L + (W - L - R) * (t - when(0)) / (N * wide);
              g.textAlign = x > W - 40 ? "right" : x < L + 20 ? "left" : "center";
              g.fillText(text, x, H - 6);
            }
            const mark = h("div", { class: "mark", hidden: "" });
            const leave = () => { hideTip(); mark.hidden = true; };
            const move = (event) => {
              const box = canvas.getBoundingClientRect(), i = column(event, box, W);
              const r = Math.floor((H - B - (event.clientY - box.top)) / (H - T - B) * rows) + bottom;
              if (r < bottom || r > top) return leave();
              const cell = columns[i].find((c) => c[0] === r), n = cell ? cell[1] : 0;
              mark.style.cssText = `left:${X(i)}px;top:${Y(r + 1)}px;width:${Math.max(3, X(i + 1) - X(i))}px;` +
                `height:${Y(r) - Y(r + 1)}px`;
              mark.hidden = false;
              const low = time(S.rows[r]);
              const range = r + 1 < S.rows.length ? `${low} to ${time(S.rows[r + 1])}` : "over " + low;
              showTip(event, h("b", null, range), tipRow("", "actions", count(n)),
                tipRow("", "share at that time", totals[i] ? share(n / totals[i]) : "–"),
                tipRow("", "after", after(when(i)) + ", " + clock(when(i))));
            };
            canvas.addEventListener("pointermove", move);
            canvas.addEventListener("pointerdown", move);
            canvas.addEventListener("pointerleave", leave);
            heat.replaceChildren(canvas, mark);
            key.replaceChildren(h("span", null, "actions in a cell: 1", h("i", { class: "ramp",
              style: `background:linear-gradient(90deg,${css("--heat").split(" ").join()})` }), count(most)),
              h("span", null, "a column is " + shortTime(wide)));
          }

          const frame = h("div", { class: "frame" });
          $("rate").append(h("h3", null, "Actions a second"), frame);
          function drawRate() {
            const W = frame.clientWidth, H = 150, T = 8, B = 24;
            const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, height: H, role: "img",
              "aria-label": "Actions a second over time" });
            const peak = rates.reduce((a, b) => Math.max(a, b || 0), 1e-9);
            const unit = Math.pow(10, Math.floor(Math.log10(peak)));
            const nice = [1, 1.5, 2, 3, 4, 5, 8, 10].map((x) => x * unit).find((x) => x >= peak);
            const X = (i) => L + (W - L - R) * i / N, Y = (v) => H - B - (H - T - B) * v / nice;
            for (const v of [0, nice / 2, nice]) {
              svg.append(s("line", { x1: L, x2: W - R, y1: Y(v), y2: Y(v), stroke: css("--line") }));
              svg.append(s("text", { x: L - 8, y: Y(v) + 4, "text-anchor": "end" },
                v ? short(rate(v).replace("/s", "")) : "0"));
            }
            const points = [];
            rates.forEach((v, i) => { if (v !== null) points.push([X(i), Y(v)], [X(i + 1), Y(v)]); });
            const line = points.map((p) => p[0].toFixed(1) + "," + p[1].toFixed(1)).join(" ");
            const end = points[points.length - 1][0].toFixed(1);
            svg.append(s("polygon", { points: `${L},${Y(0)} ${line} ${end},${Y(0)}`, fill: "var(--work)",
              opacity: .18 }));
            svg.append(s("polyline", { points: line, fill: "none", stroke: "var(--work)", "stroke-width": 1.5,
              "stroke-linejoin": "round" }));
            for (const [t, text] of ticks(W)) {
              const x = L + (W - L - R) * (t - when(0)) / (N * wide);
              svg.append(s("text", { x, y: H - 6, "text-anchor": x > W - 40 ? "end" : x < L + 20 ? "start" : "middle" },
                text));
            }
            const cross = crosshair(T, H - B);
            svg.append(cross);
            const move = (event) => {
              const i = column(event, svg.getBoundingClientRect(), W), x = (X(i) + X(i + 1)) / 2;
              cross.setAttribute("x1", x); cross.setAttribute("x2", x); cross.setAttribute("visibility", "visible");
              showTip(event, h("b", null, rates[i] === null ? "not over yet" : rate(rates[i])),
                tipRow("", "actions", count(totals[i])),
                tipRow("", "after", after(when(i)) + ", " + clock(when(i))));
            };
            svg.addEventListener("pointermove", move);
            svg.addEventListener("pointerdown", move);
            svg.addEventListener("pointerleave", () => { hideTip(); cross.setAttribute("visibility", "hidden"); });
            frame.replaceChildren(svg);
          }
          drawings.push(drawHeat, drawRate);
        })();
        """#
}
