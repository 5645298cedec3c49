// SPDX-License-Identifier: Apache-2.0

extension Page {
    /// Functions that the other parts of the script use. Names enter the page only as text nodes.
    package static let tools = #"""
        const D = JSON.parse(document.getElementById("data").textContent);
        const $ = (id) => document.getElementById(id);
        const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

        function h(tag, attributes, ...children) {
          const e = document.createElement(tag);
          for (const [k, v] of Object.entries(attributes || {})) {
            if (k === "style") e.style.cssText = v;
            else if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
            else e.setAttribute(k, v);
          }
          e.append(...children);
          return e;
        }
        function s(tag, attributes, text) {
          const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
          for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
          if (text !== undefined) e.textContent = text;
          return e;
        }

        const three = (v) => v.toFixed(v < 9.995 ? 2 : v < 99.95 ? 1 : 0);
        function time(ns) {
          if (ns < 999.5) return Math.round(ns) + " ns";
          for (const [unit, size, end] of [["µs", 1e3, 999.5e3], ["ms", 1e6, 999.5e6], ["s", 1e9, 119.5e9]])
            if (ns < end) return three(ns / size) + " " + unit;
          const m = ns / 60e9;
          return m < 119.5 ? three(m) + " min" : three(m / 60) + " h";
        }
        /* Without zeros at the end, for axes. */
        const short = (text) => text.replace(/\.(\d*?)0+(?!\d)/, ".$1").replace(/\.(?!\d)/, "");
        const shortTime = (ns) => short(time(ns));
        const count = (n) => Math.round(n).toLocaleString("en-US");
        function rate(n) {
          if (n >= 1e6) return three(n / 1e6) + " M/s";
          if (n >= 1e4) return three(n / 1e3) + " k/s";
          return (n > 0 && n < 10 ? n.toFixed(1) : count(n)) + "/s";
        }
        const share = (v) => v <= 0 ? "0 %" : v < .0005 ? "< 0.1 %" : v >= .9995 && v < 1 ? "> 99.9 %"
          : (100 * v).toFixed(v < .0995 || (v > .99 && v < 1) ? 1 : 0) + " %";
        /* ISO 8601 in UTC, whatever the reader's time zone. With milliseconds if the whole time is short. */
        const moment = (ms) => new Date(ms).toISOString().replace(D.span < 60e9 ? "" : /\.\d+/, "");
        /* Labels of ticks in one unit, with as many digits as the step has, so that no two labels are the same. */
        function tickLabels(step, end) {
          const fits = (size) => Math.abs(step / size * 100 - Math.round(step / size * 100)) < 1e-6;
          const [unit, size] = [["h", 3600e9, 7200e9], ["min", 60e9, 120e9], ["s", 1e9, 1e9], ["ms", 1e6, 1e6],
            ["µs", 1e3, 0]].find(([, size, from], i) => end >= from && (i > 1 || fits(size)));
          let digits = 0;
          while (digits < 9 && Math.abs(step / size * 10 ** digits - Math.round(step / size * 10 ** digits)) > 1e-6)
            digits++;
          return (ns) => ns === 0 ? "0" : short((ns / size).toFixed(digits)) + " " + unit;
        }
        function percentile(nines) {
          const p = 100 * (1 - Math.pow(10, -nines));
          return p.toFixed(Math.max(1, Math.floor(nines + 1e-9))).replace(/\.?0+$/, "") + " %";
        }

        const tip = $("tip");
        function showTip(event, ...content) {
          tip.replaceChildren(...content);
          tip.hidden = false;
          const w = tip.offsetWidth, t = tip.offsetHeight;
          let x = event.clientX + 16, y = event.clientY - t - 12;
          if (x + w > innerWidth - 8) x = event.clientX - w - 16;
          if (y < 8) y = event.clientY + 20;
          tip.style.left = Math.max(8, Math.min(x, innerWidth - w - 8)) + "px";
          tip.style.top = Math.max(8, Math.min(y, innerHeight - t - 8)) + "px";
        }
        const hideTip = () => { tip.hidden = true; };
        const tipRow = (colour, name, value) => h("div", null,
          h("span", null, ...(colour ? [h("i", { class: "dot", style: "background:" + colour })] : []), name),
          h("span", null, value));
        const crosshair = (y1, y2) =>
          s("line", { y1, y2, stroke: css("--soft"), "stroke-dasharray": "3 3", visibility: "hidden" });
        addEventListener("scroll", hideTip, { passive: true });

        /* The functions that draw again when the width or the colours change. */
        const drawings = [];
        let width = innerWidth;
        const redraw = () => { hideTip(); for (const draw of drawings) draw(); };
        addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; redraw(); } });
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
        """#
}
