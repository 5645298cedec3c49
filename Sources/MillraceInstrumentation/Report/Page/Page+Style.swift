// SPDX-License-Identifier: Apache-2.0

extension Page {
    /// The style of every page of Millrace.
    package static let style = """
        :root {
          --ground: #f6f6f4; --card: #ffffff; --ink: #1d1c1a; --soft: #67645e; --line: #e4e2dd;
          --wait: #c8720a; --work: #2563eb; --tip: #1d1c1a; --tipink: #ffffff;
          --shade: rgb(0 0 0 / .22);
          --c0: #2563eb; --c1: #0d8a62; --c2: #b832c9; --c3: #d03030; --c4: #0b86a3; --c5: #6d3fe0; --c6: #6a8b0c;
          --heat: #dbe8fe #7fb0fb #2f6df0 #1e3a9f #131c4e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #121215; --card: #1b1b20; --ink: #ececf0; --soft: #a09fab; --line: #303039;
            --wait: #f2a93b; --work: #6aa5fb; --tip: #ececf0; --tipink: #16161a;
            --shade: rgb(0 0 0 / .7);
            --c0: #6aa5fb; --c1: #3ccf9a; --c2: #e07fee; --c3: #f57f7f; --c4: #35cbe4; --c5: #ab93fb; --c6: #a9d13b;
            --heat: #1c2748 #2748a0 #3b78ef #8fbcfd #eef6ff;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; max-width: 1120px; padding: 28px 20px 40px; background: var(--ground); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
          font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
        }
        header { margin: 0 4px 20px; }
        h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -.02em; overflow-wrap: anywhere; }
        h2 { font-size: 17px; margin: 0 0 12px; letter-spacing: -.01em; }
        a { color: var(--work); }
        header p, footer { color: var(--soft); margin: 0; }
        section {
          background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px 20px;
          margin: 0 0 16px;
        }
        .tiles {
          display: grid; grid-template-columns: repeat(auto-fit, minmax(128px, 1fr)); gap: 1px; padding: 0;
          overflow: hidden; background: var(--line);
        }
        .tile { background: var(--card); padding: 14px 20px; }
        .tile b { display: block; font-size: 22px; font-weight: 600; letter-spacing: -.02em; white-space: nowrap;
          overflow: hidden; text-overflow: ellipsis; }
        .tile span { color: var(--soft); font-size: 13px; }
        .split { display: flex; height: 34px; border-radius: 8px; overflow: hidden; gap: 2px; margin: 0 0 6px; }
        .split i { display: block; min-width: 3px; }
        .key { display: flex; flex-wrap: wrap; gap: 4px 18px; color: var(--soft); font-size: 13px; }
        .key b { color: var(--ink); font-weight: 600; }
        .dot { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; }
        ol { list-style: none; margin: 20px 0 4px; padding: 0; counter-reset: finding; }
        ol li { counter-increment: finding; position: relative; padding: 0 0 14px 36px; max-width: 78ch; }
        ol li::before {
          content: counter(finding); position: absolute; left: 0; top: 0; width: 24px; height: 24px;
          border-radius: 50%; background: var(--ground); border: 1px solid var(--line); color: var(--soft);
          font-size: 13px; line-height: 22px; text-align: center;
        }
        ol b { display: block; font-weight: 600; overflow-wrap: anywhere; }
        ol span { color: var(--soft); }
        .bars { display: grid; grid-template-columns: minmax(90px, max-content) 1fr max-content; gap: 7px 12px;
          align-items: center; font-size: 14px; margin: 0 0 4px; }
        .bars div { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 34ch; }
        .bars div span { color: var(--soft); }
        .bars i { display: block; height: 12px; border-radius: 3px; min-width: 2px; }
        .bars .both { display: flex; gap: 1px; background: none; }
        .bars em { font-style: normal; text-align: right; color: var(--soft); }
        .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 20px 40px; }
        h3 { font-size: 13px; font-weight: 600; color: var(--soft); margin: 6px 0 10px; }
        .row { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 10px; }
        button { font: inherit; font-size: 13px; color: inherit; background: none; border: 1px solid var(--line);
          border-radius: 99px; padding: 4px 12px; cursor: pointer; }
        button:focus-visible, th:focus-visible { outline: 2px solid var(--work); outline-offset: 1px; }
        .modes button[aria-pressed=true] { background: var(--ink); border-color: var(--ink); color: var(--card); }
        .chips { margin: 10px 0 0; }
        .chips button { padding: 3px 10px 3px 8px; max-width: 100%; overflow: hidden; text-overflow: ellipsis;
          white-space: nowrap; }
        svg.sample { display: inline-block; width: 24px; margin-right: 7px; vertical-align: -1px; }
        .chips button[aria-pressed=false] { opacity: .45; text-decoration: line-through; }
        svg, canvas { display: block; width: 100%; touch-action: pan-y; }
        svg text { font-size: 12px; fill: var(--soft); }
        .frame { position: relative; }
        .mark { position: absolute; pointer-events: none; border: 1.5px solid var(--ink); border-radius: 2px;
          box-shadow: 0 0 0 1.5px var(--card); }
        .ramp { height: 10px; width: 120px; border-radius: 3px; display: inline-block; margin: 0 6px; }
        .wide { overflow-x: auto; margin: 0 -20px -8px; padding: 0 20px 8px; }
        /* Separate borders: cells with collapsed borders have no shadow, and the sticky column's edge is a shadow. */
        table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 14px; }
        th { font-weight: 600; font-size: 13px; color: var(--soft); cursor: pointer; user-select: none; }
        th, td { text-align: right; padding: 6px 0 6px 18px; white-space: nowrap;
          border-bottom: 1px solid var(--line); }
        tr:last-child td { border-bottom: 0; }
        th:first-child, td:first-child { text-align: left; padding-left: 0; position: sticky; left: -20px;
          background: var(--card); max-width: 44vw; overflow: hidden; text-overflow: ellipsis; }
        td small { color: var(--soft); font-size: 13px; margin-left: 8px; }
        #tip { position: fixed; z-index: 2; pointer-events: none; background: var(--tip); color: var(--tipink);
          border-radius: 8px; padding: 8px 12px; font-size: 13px; line-height: 1.45; max-width: 92vw;
          box-shadow: 0 4px 16px rgb(0 0 0 / .25); }
        #tip[hidden] { display: none; }
        #tip b { display: block; }
        #tip div { display: flex; justify-content: space-between; gap: 18px; }
        #tip div span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 30ch; }
        .none { color: var(--soft); margin: 0; }
        footer { font-size: 13px; padding: 4px; }
        noscript pre { overflow-x: auto; font-size: 13px; }
        @media (max-width: 560px) {
          body { padding: 18px 12px 32px; }
          section { padding: 16px 14px; border-radius: 10px; }
          .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); padding: 0; }
          .tile { padding: 12px 14px; }
          .tile b { font-size: 19px; }
          .wide { margin: 0 -14px -8px; padding: 0 14px 8px; }
          th:first-child, td:first-child { left: -14px; padding-left: 14px; padding-right: 10px;
            box-shadow: 1px 0 var(--line); }
          .moved th:first-child, .moved td:first-child { box-shadow: 1px 0 var(--line), 7px 0 7px -4px var(--shade); }
          table { margin-left: -14px; width: calc(100% + 14px); }
          .bars div { max-width: 38vw; white-space: normal; line-height: 1.3; overflow-wrap: anywhere; }
          td small { display: block; margin: 0; line-height: 1.2; }
        }
        @media print { section { break-inside: avoid; } }
        """
}
