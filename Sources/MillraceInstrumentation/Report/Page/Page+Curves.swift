// SPDX-License-Identifier: Apache-2.0

extension Page {
    /// Percentile curves. On the horizontal axis, 90 % to 99 % takes as much width as 99 % to 99.9 %, and so on, as in
    /// HdrHistogram's plots.
    static let curves = #"""
        const palette = 7, dashes = ["", "6 4", "2 3"];
        const modes = [
          ["Stages", D.stages.map((x) => ({ name: x.name, role: x.role, figures: x }))],
          ["Waiting, by kind", D.kinds.map((x) => ({ name: x.name, figures: x.wait }))],
          ["Working, by kind", D.kinds.map((x) => ({ name: x.name, figures: x.work }))],
          ["In all, by kind", D.kinds.map((x) => ({ name: x.name, figures: x.total }))],
          ["Effects", D.effects.map((x) => ({ name: x.name, figures: x }))],
        ].map(([title, all]) => ({ title, all: all.filter((x) => x.figures.count > 0) })).filter((m) => m.all.length);

        for (const mode of modes) {
          let next = 0;
          mode.all.forEach((line) => {
            line.colour = line.role === "total" ? "--ink" : line.role === "queue" ? "--wait" : "--c" + (next % palette);
            line.dash = line.colour.startsWith("--c") ? dashes[Math.floor(next++ / palette) % dashes.length] : "";
            /* If nearly all time is waiting, the curves of queue and total coincide. So the total is a wide, transparent band behind the others. */
            line.stroke = { fill: "none", stroke: `var(${line.colour})`, "stroke-dasharray": line.dash,
              "stroke-width": line.role === "total" ? 6 : 1.75, opacity: line.role === "total" ? .3 : 1 };
            line.end = Math.log10(line.figures.count);
            line.at = (nines) => {
              if (nines > line.end + 1e-9) return null;
              const c = line.figures.curve, i = Math.min(Math.round(nines * 12), c.length - 1);
              return nines >= line.end - 1e-9 ? line.figures.max : c[i];
            };
          });
          // Too many curves cannot be read: at first only the nine with the largest sums of times are shown.
          const sum = (line) => line.figures.mean * line.figures.count;
          const most = [...mode.all].sort((a, b) => sum(b) - sum(a));
          const shown = new Set(most.slice(0, palette + 2));
          mode.all.forEach((line) => { line.hidden = !shown.has(line); });
        }

        (function () {
          const host = $("curves");
          if (!modes.length) { host.append(h("p", { class: "none" }, "Nothing was measured.")); return; }
          let mode = modes[0];
          const tabs = h("div", { class: "row modes" }), chips = h("div", { class: "row chips" });
          const frame = h("div", { class: "frame" });
          host.append(tabs, frame, chips);
          for (const m of modes) {
            tabs.append(h("button", { type: "button", onclick: () => { mode = m; draw(); } }, m.title));
          }

          /* The stroke of the curve, for the legend. */
          function sample(line) {
            const svg = s("svg", { class: "sample", viewBox: "0 0 24 10", width: 24, height: 10, "aria-hidden": true });
            svg.append(s("line", { x1: 0, x2: 24, y1: 5, y2: 5, ...line.stroke }));
            return svg;
          }

          function draw() {
            [...tabs.children].forEach((b, i) => b.setAttribute("aria-pressed", modes[i] === mode));
            chips.replaceChildren(...mode.all.map((line) => h("button",
              { type: "button", "aria-pressed": !line.hidden, onclick: () => { line.hidden = !line.hidden; draw(); } },
              sample(line), line.name)));
            const lines = mode.all.filter((line) => !line.hidden);
            const W = frame.clientWidth, H = W < 520 ? 300 : 380, L = 58, R = 14, T = 10, B = 48;
            const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, height: H, role: "img",
              "aria-label": "Percentile curves: " + mode.title + ". The tables below have the figures." });
            const xMax = Math.max(1, ...lines.map((l) => l.end));
            let low = Infinity, high = 1;
            for (const l of lines) {
              low = Math.min(low, ...l.figures.curve.map((v) => Math.max(1, v)));
              high = Math.max(high, l.figures.max);
            }
            if (!isFinite(low)) low = 1;
            let y0 = Math.floor(Math.log10(low) + 1e-9), y1 = Math.ceil(Math.log10(high) - 1e-9);
            if (y1 <= y0) y1 = y0 + 1;
            const X = (n) => L + (W - L - R) * n / xMax;
            const Y = (v) => H - B - (H - T - B) * (Math.log10(Math.max(1, v)) - y0) / (y1 - y0);
            const step = Math.ceil((y1 - y0) / 9);
            for (let d = y0; d <= y1; d += step) {
              const y = Y(Math.pow(10, d));
              svg.append(s("line", { x1: L, x2: W - R, y1: y, y2: y, stroke: css("--line") }));
              svg.append(s("text", { x: L - 8, y: y + 4, "text-anchor": "end" }, shortTime(Math.pow(10, d))));
            }
            const half = Math.log10(2);
            let last = -Infinity;
            for (let n of [0, half, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
              if (n > xMax + 1e-9) break;
              const x = X(n);
              svg.append(s("line", { x1: x, x2: x, y1: T, y2: H - B, stroke: css("--line") }));
              if (x - last < 52) continue;
              last = x;
              const anchor = n === 0 ? "start" : x > W - 40 ? "end" : "middle";
              svg.append(s("text", { x, y: H - B + 18, "text-anchor": anchor }, percentile(n)));
            }
            /* On a phone it begins further to the left, so that its end is not cut off. */
            svg.append(s("text", W < 400 ? { x: W - 4, y: H - 8, "text-anchor": "end" } : { x: L, y: H - 8 },
              "this share of the measurements takes at most …"));
            /* The total is drawn first, so that the other curves are above it. */
            for (const l of [...lines].sort((a, b) => (b.role === "total") - (a.role === "total"))) {
              const points = l.figures.curve.map((v, i) => X(i / 12).toFixed(1) + "," + Y(v).toFixed(1));
              points.push(X(l.end).toFixed(1) + "," + Y(l.figures.max).toFixed(1));
              svg.append(s("polyline", { points: points.join(" "), ...l.stroke, "stroke-linejoin": "round" }));
            }
            const cross = crosshair(T, H - B);
            const dots = s("g");
            svg.append(cross, dots);
            const leave = () => { hideTip(); cross.setAttribute("visibility", "hidden"); dots.replaceChildren(); };
            const move = (event) => {
              const box = svg.getBoundingClientRect();
              const x = Math.max(L, Math.min(event.clientX - box.left, W - R));
              const nines = Math.min(xMax, Math.round(12 * xMax * (x - L) / (W - L - R)) / 12);
              cross.setAttribute("x1", X(nines)); cross.setAttribute("x2", X(nines));
              cross.setAttribute("visibility", "visible");
              const values = lines.map((l) => [l, l.at(nines)]).filter((v) => v[1] !== null)
                .sort((a, b) => b[1] - a[1]);
              dots.replaceChildren(...values.map(([l, v]) => s("circle",
                { cx: X(nines), cy: Y(v), r: 3.5, fill: `var(${l.colour})`, stroke: css("--card") })));
              showTip(event, h("b", null, percentile(nines)),
                ...values.slice(0, 12).map(([l, v]) => tipRow(
                  l.role === "total" ? "var(--tipink)" : `var(${l.colour})`, l.name, time(v))));
            };
            svg.addEventListener("pointermove", move);
            svg.addEventListener("pointerdown", move);
            svg.addEventListener("pointerleave", leave);
            frame.replaceChildren(svg);
          }
          drawings.push(draw);
        })();
        """#
}
