// SPDX-License-Identifier: Apache-2.0

extension Page {
    /// The figures at the top, the findings, and the tables; the last line draws everything.
    static let tables = #"""
        (function () {
          const total = D.stages.find((x) => x.role === "total");
          const tile = (value, name) => h("div", { class: "tile" }, h("b", null, value), h("span", null, name));
          const seconds = D.active / 1e9;
          $("tiles").append(tile(count(D.actions), "actions"),
            tile(seconds > 0 ? rate(D.actions / seconds) : "–", "on average"));
          const known = total && total.count > 0;
          for (const [member, name] of [["p50", "half take less"], ["p99", "99 % take less"],
            ["p999", "99.9 % take less"], ["max", "the longest"]]) {
            $("tiles").append(tile(known ? time(total[member]) : "–", name));
          }

          const why = $("why"), slow = D.slowness, known2 = D.kindShares.some((k) => k.waiting + k.working > 0);
          if (known2) {
            const w = slow.waitingShare;
            const part = (v, colour) => h("i", { style: `flex:${v};background:${colour}` });
            const key = (v, colour, text) => h("span", null, h("i", { class: "dot", style: "background:" + colour }),
              h("b", null, v), text);
            const label = D.waiting + " waiting, " + D.working + " working";
            why.append(h("div", { class: "split", role: "img", "aria-label": label },
              part(w, "var(--wait)"), part(1 - w, "var(--work)")),
              h("div", { class: "key" },
                key(D.waiting, "var(--wait)", " waiting in the queue"), key(D.working, "var(--work)", " working"),
                h("span", null, "the pipeline is busy ", h("b", null, D.busy), " of the time")));
          }
          const words = (text) => text.split("`").map((part, i) => i % 2 ? h("code", null, part) : part);
          why.append(h("ol", null, ...slow.findings.map((f) =>
            h("li", null, h("b", null, ...words(f.text)), h("span", null, ...words(f.hint))))));
          if (known2) {
            const most = Math.max(...D.kindShares.map((k) => k.waiting + k.working));
            const kinds = h("div", { class: "bars" });
            for (const k of D.kindShares.slice(0, 8)) {
              const sum = k.waiting + k.working;
              if (!sum) continue;
              kinds.append(h("div", { title: k.name }, k.name), h("span", { class: "both" },
                h("i", { style: `width:${100 * k.waiting / most}%;background:var(--wait)` }),
                h("i", { style: `width:${100 * k.working / most}%;background:var(--work)` })),
                h("em", null, k.share));
            }
            const parts = h("div", { class: "bars" });
            const longest = Math.max(...D.parts.map((p) => p.time));
            for (const p of D.parts.slice(0, 8)) {
              parts.append(h("div", { title: p.stage + " for " + p.kind }, p.stage, h("span", null, " for " + p.kind)),
                h("i", { style: `width:${100 * p.time / longest}%;background:var(--work)` }),
                h("em", null, p.share));
            }
            why.append(h("div", { class: "pair" }, h("div", null, h("h3", null, "All time, by kind"), kinds),
              ...(D.parts.length ? [h("div", null, h("h3", null, "The work, by stage and kind"), parts)] : [])));
          }

          function table(host, titles, rows) {
            let by = -1, down = true;
            const head = h("tr"), body = h("tbody");
            function fill() {
              const sorted = by < 0 ? rows : [...rows].sort((a, b) => {
                const x = a[by].v, y = b[by].v, c = typeof x === "string" ? x.localeCompare(y) : x - y;
                return down ? -c : c;
              });
              body.replaceChildren(...sorted.map((r) => h("tr", null, ...r.map((c) => h("td", null, ...c.t)))));
              [...head.children].forEach((th, i) => th.setAttribute("aria-sort",
                i !== by ? "none" : down ? "descending" : "ascending"));
            }
            titles.forEach((t, i) => {
              const sort = () => { down = by === i ? !down : i > 0; by = i; fill(); };
              head.append(h("th", { scope: "col", tabindex: 0, onclick: sort,
                onkeydown: (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); sort(); } } }, t));
            });
            fill();
            host.addEventListener("scroll", () => host.classList.toggle("moved", host.scrollLeft > 0), { passive: true });
            host.append(h("table", null, h("thead", null, head), body));
          }
          const name = (text, note) => ({ v: text, t: note ? [text, h("small", null, note)] : [text] });
          const number = (n) => ({ v: n, t: [count(n)] });
          const figures = (f) => ["p50", "p90", "p99", "p999", "p9999", "max"].map((m) =>
            ({ v: f.count ? f[m] : -1, t: [f.count ? time(f[m]) : "–"] }));
          const heads = ["p50", "p90", "p99", "p99.9", "p99.99", "max"];
          const notes = { middleware: "middleware", queue: "waiting", journal: "waiting for the disk", total: "end to end" };
          if (D.stages.length) {
            table($("stages"), ["stage", "count", ...heads], D.stages.map((x) =>
              [name(x.name, notes[x.role]), number(x.count), ...figures(x)]));
          } else $("stages").parentElement.hidden = true;
          if (D.kinds.length) {
            table($("kinds"), ["kind", "count", ...heads], D.kinds.flatMap((x) =>
              [["waiting", x.wait], ["working", x.work], ["in all", x.total]].map(([note, f]) =>
                [name(x.name, note), number(f.count), ...figures(f)])));
          } else $("bykind").hidden = true;
          if (D.effects.length) {
            table($("effects"), ["effects of", "started", "cancelled", ...heads], D.effects.map((x) =>
              [name(x.name), number(x.started), number(x.cancelled), ...figures(x)]));
          } else $("byeffect").hidden = true;

          $("headline").textContent += " · " + moment(D.since) + " to " + moment(D.until);
          const sampled = "the tables count the measured actions; the heat map and the rate are scaled to all actions.";
          $("foot").textContent = [D.sampling ? `${D.sampling}: ${sampled}` : "", D.remark,
            `The instrumentation held ${D.memory}, and never more than ${D.mostMemory}.`].filter(Boolean).join(" ");
        })();
        redraw();
        """#
}
