// SPDX-License-Identifier: Apache-2.0

extension LogPage {
    /// What this page needs besides the style of the pipeline's page.
    static let style = """
        .tiles { grid-template-columns: repeat(4, minmax(0, 1fr)); }
        .chart { display: grid; grid-template-columns: 58px minmax(0, 1fr); margin: 0 0 22px; }
        .plot { position: relative; height: 150px; }
        .plot svg { height: 100%; overflow: visible; }
        .plot .grid { stroke: var(--line); vector-effect: non-scaling-stroke; fill: none; }
        .plot .cursor { position: absolute; top: 0; bottom: 0; background: var(--ink); opacity: .1; pointer-events: none; }
        .levels, .times { position: relative; color: var(--soft); font-size: 12px; line-height: 16px; }
        .levels span { position: absolute; right: 8px; transform: translateY(-50%); white-space: nowrap; }
        .times { grid-column: 2; height: 22px; }
        .times span { position: absolute; top: 5px; transform: translateX(-50%); white-space: nowrap; }
        .times .first { transform: none; }
        .times .last { transform: translateX(-100%); }
        section > .key, .share + .key { margin: 0 0 12px; }
        summary { cursor: pointer; color: var(--soft); font-size: 13px; padding: 4px 0; }
        summary:focus-visible, a:focus-visible { outline: 2px solid var(--work); outline-offset: 2px; }
        details .wide { max-height: 420px; overflow-y: auto; }
        svg.share { height: 28px; border-radius: 8px; margin: 0 0 8px; }
        th { cursor: default; }
        .list { table-layout: fixed; }
        .list th:nth-child(n+2) { width: 92px; }
        .list th.more { width: 80px; }
        .list td:first-child { max-width: none; position: static; padding-right: 8px; }
        .list th:first-child { position: static; }
        .list td div { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .list td svg { height: 5px; border-radius: 2px; margin-top: 3px; }
        .list td { vertical-align: top; }
        .list small { font-size: 13px; }
        .plain { margin: 12px 0 0; padding: 0 0 0 18px; color: var(--soft); font-size: 14px; overflow-wrap: anywhere; }
        @media (max-width: 560px) {
          .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
          .chart { grid-template-columns: 52px minmax(0, 1fr); }
          .plot { height: 120px; }
          .times .minor { display: none; }
          .more { display: none; }
          .list { margin-left: 0; width: 100%; }
          .list th:nth-child(n+2) { width: 82px; }
          .list th:first-child, .list td:first-child { padding-left: 0; box-shadow: none; }
          .list td div { white-space: normal; overflow-wrap: anywhere; display: -webkit-box; -webkit-line-clamp: 3;
            -webkit-box-orient: vertical; line-height: 1.35; }
          .list td small { display: inline; margin-left: 6px; }
        }
        """
}
