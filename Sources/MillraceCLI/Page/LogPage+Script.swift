// SPDX-License-Identifier: Apache-2.0

extension LogPage {
    /// The figures for the script: numbers only, no text of the log.
    var data: String {
        guard let series else { return "{\"charts\":{}}" }
        func list(_ values: [UInt64]) -> String { "[\(values.map(String.init).joined(separator: ","))]" }
        let classes = (0..<5).map { place in list(series.buckets.map { $0.classes[place] }) }
        let requests =
            "{\"step\":\(series.step),\"values\":\(list(series.buckets.map(\.requests))),"
            + "\"classes\":[\(classes.joined(separator: ","))]}"
        let visitors = "{\"step\":\(series.visitorStep),\"values\":\(list(series.visitors))}"
        let bytes = "{\"step\":\(series.step),\"values\":\(list(series.buckets.map(\.bytes)))}"
        return
            "{\"start\":\(series.start),\"charts\":{\"requests\":\(requests),\"visitors\":\(visitors),\"bytes\":\(bytes)}}"
    }

    /// Shows the figures of the column under the pointer.
    static let script = #"""
        const colours = ["--soft", "--c1", "--c0", "--wait", "--c3"];
        const clock = (minute) => new Date(minute * 60000).toISOString().slice(0, 16).replace("T", " ") + " UTC";
        function size(n) {
          const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
          let unit = 0;
          while (n >= 1024 && unit < units.length - 1) { n /= 1024; unit++; }
          return (unit ? n.toFixed(1) : n) + " " + units[unit];
        }
        for (const chart of document.querySelectorAll("[data-chart]")) {
          const id = chart.dataset.chart, data = D.charts[id];
          if (!data) continue;
          const plot = chart.querySelector(".plot"), cursor = chart.querySelector(".cursor");
          const count_ = data.values.length;
          const leave = () => { hideTip(); cursor.hidden = true; };
          const move = (event) => {
            const box = plot.getBoundingClientRect();
            const i = Math.max(0, Math.min(count_ - 1, Math.floor((event.clientX - box.left) / box.width * count_)));
            cursor.hidden = false;
            cursor.style.left = 100 * i / count_ + "%";
            cursor.style.width = `max(2px, ${100 / count_}%)`;
            const value = data.values[i];
            const rows = id === "bytes" ? [tipRow("", "bytes", size(value))]
              : [tipRow("", id, count(value))].concat((data.classes || []).flatMap((c, k) =>
                  c[i] ? [tipRow(`var(${colours[k]})`, (k + 1) + "xx", count(c[i]))] : []));
            showTip(event, h("b", null, clock(D.start + i * data.step)), ...rows);
          };
          plot.addEventListener("pointermove", move);
          plot.addEventListener("pointerdown", move);
          plot.addEventListener("pointerleave", leave);
        }
        """#
}
