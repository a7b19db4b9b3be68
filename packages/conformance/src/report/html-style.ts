import { OUTCOMES } from './report.ts';

/** With a filter in the address, only checks of that outcome are shown; the browser does it without a script. */
const FILTERS = OUTCOMES.map((outcome) => `body:has(#${outcome}:target) .check:not(.${outcome}){display:none}`).join(
  '\n',
);

export const STYLE: string = `
:root{color-scheme:light dark;--pass:#1a7f37;--fail:#cf222e;--warn:#9a6700;--flaky:#8250df;--rest:#59636e;--line:#8884}
@media (prefers-color-scheme:dark){:root{--pass:#3fb950;--fail:#f85149;--warn:#d29922;--flaky:#bc8cff;--rest:#9198a1}}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:75rem;padding:1rem}
h1{font-size:1.2rem}h2{font-size:1.05rem;border-bottom:1px solid var(--line)}
header nav a,.scores span{margin-right:1rem}
.columns{display:flex;gap:2rem;align-items:flex-start;flex-wrap:wrap}
.columns nav{position:sticky;top:1rem}.columns nav ul{list-style:none;padding:0;margin:0}main{flex:1;min-width:20rem}
summary{cursor:pointer;padding:.2rem 0}dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;margin:.3rem 1.2rem}
dt{color:var(--rest)}dd{margin:0;overflow-wrap:anywhere}
pre{overflow:auto;border:1px solid var(--line);padding:.5rem;margin:.3rem 1.2rem}
.pass{color:var(--pass)}.fail{color:var(--fail)}.warn{color:var(--warn)}.flaky{color:var(--flaky)}
.not_applicable,.not_provoked,.needs_authentication,.skipped{color:var(--rest)}
.check{color:inherit}a:focus-visible,summary:focus-visible{outline:2px solid}
${FILTERS}
`;
