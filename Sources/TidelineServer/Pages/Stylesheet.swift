// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The one stylesheet of all pages: light and dark from the same variables.
enum Stylesheet {
    static let text = """
        :root {
          color-scheme: light dark;
          --ground: #f7f9fa; --surface: #ffffff; --sunken: #eef2f4; --line: #d5dde1;
          --text: #16212a; --quiet: #51616c; --accent: #0b6b70; --accent-strong: #074d51;
          --good: #17693a; --good-ground: #e3f3e8; --bad: #a32121; --bad-ground: #fbe6e4;
          --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #0f1519; --surface: #161e24; --sunken: #1d272e; --line: #2d3a43;
            --text: #e6edf1; --quiet: #a3b3bd; --accent: #5cc5c9; --accent-strong: #8adadd;
            --good: #7fd39c; --good-ground: #14301f; --bad: #f39a92; --bad-ground: #3a1a18;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; background: var(--ground); color: var(--text);
          font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums;
        }
        a { color: var(--accent); text-underline-offset: 2px; }
        a:hover { color: var(--accent-strong); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
        .skip { position: absolute; left: -999px; }
        .skip:focus { left: 16px; top: 12px; background: var(--surface); padding: 8px 12px; z-index: 1; }
        .bar {
          display: flex; align-items: center; justify-content: space-between; gap: 16px;
          padding: 12px 24px; background: var(--surface); border-bottom: 1px solid var(--line);
        }
        .brand {
          display: inline-flex; align-items: center; gap: 8px; font-size: 18px; font-weight: 600;
          color: var(--text); text-decoration: none;
        }
        main, footer { max-width: 896px; margin: 0 auto; padding: 0 24px; }
        h1 { font-size: 32px; line-height: 1.2; letter-spacing: -0.01em; margin: 48px 0 12px; font-weight: 650; }
        h2 { font-size: 24px; line-height: 1.25; margin: 48px 0 16px; font-weight: 600; }
        h3 { font-size: 18px; margin: 0; font-weight: 600; }
        h4 { font-size: 13px; margin: 20px 0 8px; font-weight: 600; color: var(--quiet); }
        p { max-width: 75ch; margin: 0 0 12px; }
        .lead { font-size: 18px; max-width: 64ch; color: var(--text); }
        abbr { text-decoration-style: dotted; text-underline-offset: 3px; }
        .quiet { color: var(--quiet); font-size: 13px; font-weight: 400; }
        h2 .quiet { font-size: 15px; margin-left: 8px; }
        code, pre { font-family: var(--mono); font-size: 13px; }
        pre {
          background: var(--sunken); border: 1px solid var(--line); border-radius: 6px;
          padding: 12px 16px; margin: 0; overflow-x: auto; line-height: 1.6;
        }
        .state, .tag {
          display: inline-flex; align-items: center; gap: 6px; font-size: 13px; font-weight: 500;
          padding: 2px 10px; border-radius: 12px; text-decoration: none; white-space: nowrap;
        }
        .state.good { color: var(--good); background: var(--good-ground); }
        .state.bad { color: var(--bad); background: var(--bad-ground); }
        .tag { color: var(--quiet); background: var(--sunken); border: 1px solid var(--line); padding: 1px 9px; }
        .domain, .empty {
          background: var(--surface); border: 1px solid var(--line); border-radius: 8px;
          padding: 20px 24px 24px; margin: 0 0 16px;
        }
        .domain > header { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; margin-bottom: 12px; }
        .empty pre { margin: 0 0 12px; }
        .links, .sets { list-style: none; padding: 0; margin: 0 0 12px; display: flex; flex-wrap: wrap; gap: 4px 20px; }
        .sets { gap: 8px; }
        .sets li { background: var(--sunken); border-radius: 6px; padding: 4px 10px; }
        .sets a { text-decoration: none; font-weight: 500; }
        .sets a:hover { text-decoration: underline; }
        dl { margin: 0; }
        dl > div { display: grid; grid-template-columns: minmax(0, 18rem) 1fr; gap: 4px 24px; padding: 8px 0; border-top: 1px solid var(--line); }
        dl > div:last-child { border-bottom: 1px solid var(--line); }
        .facts > div { grid-template-columns: minmax(0, 9rem) 1fr; }
        dt { color: var(--quiet); }
        .steps dt { color: var(--text); }
        dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
        footer { margin-top: 64px; padding-bottom: 32px; color: var(--quiet); font-size: 13px; }
        @media (max-width: 560px) {
          .bar, main, footer { padding-left: 16px; padding-right: 16px; }
          h1 { font-size: 24px; margin-top: 32px; }
          h2 { font-size: 18px; margin-top: 32px; }
          .lead { font-size: 15px; }
          .domain, .empty { padding: 16px; }
          dl > div, .facts > div { grid-template-columns: 1fr; }
        }
        """

    /// The mark: two tides and the line between them.
    static let mark = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">\
        <rect width="32" height="32" rx="8" fill="#0b6b70"/>\
        <path d="M5 13c3.7 0 3.7 3 7.3 3s3.7-3 7.4-3 3.6 3 7.3 3" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>\
        <path d="M5 20c3.7 0 3.7 3 7.3 3s3.7-3 7.4-3 3.6 3 7.3 3" fill="none" stroke="#8adadd" stroke-width="2.6" stroke-linecap="round"/>\
        <path d="M5 9h22" stroke="#fff" stroke-width="1.6" stroke-linecap="round" stroke-dasharray="1 3.4"/></svg>
        """
}
