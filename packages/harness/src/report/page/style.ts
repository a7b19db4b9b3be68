/** Colours of runs, for light and dark; they stay apart for those who do not see red and green. */
const RUN_COLORS: readonly (readonly [string, string])[] = [
  ['#2456c7', '#82aaff'],
  ['#b4540a', '#f2a65e'],
  ['#0b7a6f', '#4fd1bd'],
  ['#7b3fc4', '#bd9bff'],
  ['#b01e62', '#f48fbc'],
  ['#76610a', '#dcc15a'],
  ['#4a5a70', '#a9b8cd'],
  ['#0a6f91', '#63c8e6'],
];

const colors = (index: 0 | 1): string => RUN_COLORS.map((pair, run) => `--s${run}:${pair[index]}`).join(';');

const LIGHT = `--bg:#fbfbfa;--raised:#fff;--sunken:#f2f2ef;--fg:#1d1f23;--dim:#5c6370;--line:#dfe0dc;--accent:#2456c7;--good:#12703a;--bad:#b3261e;--warn:#8a5a00;--good-bg:#e6f4ea;--partly-bg:#fdf3d8;--bad-bg:#fce8e6;--ins:#e6f4ea;--del:#fce8e6;--focus:#2456c7;${colors(0)}`;
const DARK = `--bg:#14161a;--raised:#1b1e24;--sunken:#101216;--fg:#e4e6ea;--dim:#9aa3b2;--line:#2e333d;--accent:#82aaff;--good:#6fcf97;--bad:#ff8a80;--warn:#e5b567;--good-bg:#16301f;--partly-bg:#352c14;--bad-bg:#3a1b1a;--ins:#16301f;--del:#3a1b1a;--focus:#82aaff;${colors(1)}`;

/** One style for the whole report: light and dark as the reader has it, and paper. */
export const STYLE: string = `
:root{color-scheme:light dark;${LIGHT};--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{scroll-padding-top:3.5rem}
body{margin:0;background:var(--bg);color:var(--fg);font:14px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
.inner,main{max-width:80rem;margin:0 auto;padding:0 1.5rem}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .25rem;letter-spacing:-.01em}
h2{font-size:1.1rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:0}h4{font-size:.9rem;margin:.75rem 0 .25rem;display:flex;align-items:center;gap:.4rem}
h5{font-size:.8rem;margin:1rem 0 .25rem;color:var(--dim)}
a{color:var(--accent);text-underline-offset:2px}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
.dim,.note,.facts,.none{color:var(--dim)}.note{font-size:.85rem;margin:.4rem 0 0}
span.good{color:var(--good)}span.bad{color:var(--bad)}span.warn{color:var(--warn)}
.hidden{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden;white-space:nowrap}
[hidden]{display:none!important}
header.top{padding:2.25rem 0 1.25rem}
.facts{margin:0}
.findings{margin:1rem 0 0;padding:0;list-style:none;font-size:1rem;max-width:60rem}
.findings li{padding:.15rem 0 .15rem 1.1rem;position:relative}
.findings li::before{content:"";position:absolute;left:0;top:.8em;width:.4rem;height:.4rem;border-radius:50%;background:var(--accent)}
nav.sections{position:sticky;top:0;z-index:2;background:var(--bg);border-block:1px solid var(--line)}
nav.sections .inner{display:flex;gap:.25rem;overflow-x:auto}
nav.sections a{padding:.6rem .7rem;color:var(--fg);text-decoration:none;white-space:nowrap}
nav.sections a:hover{color:var(--accent);box-shadow:inset 0 -2px var(--accent)}
main{padding-bottom:4rem}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--raised)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .65rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
thead th{color:var(--dim);font-weight:500;font-size:.85rem;background:var(--raised)}
tbody th{font-weight:500}
table.data td,table.runs td{text-align:right}table.data th:not(:first-child),table.runs thead th:not(:first-child){text-align:right}
.run-name,.range{display:inline-flex;align-items:center;gap:.5rem}
.range{justify-content:space-between;width:100%;min-width:14.5rem}
.plots{columns:30rem;column-gap:1rem}
.plot{margin:0 0 1rem;break-inside:avoid;padding:1rem 1rem .75rem;border:1px solid var(--line);border-radius:8px;background:var(--raised);min-width:0}
figcaption{font-weight:600;margin-bottom:.5rem}
.plot svg{width:100%;height:auto;display:block;overflow:visible}
.numbers{margin-top:.5rem;font-size:.85rem}.numbers summary{color:var(--dim);width:max-content}
.numbers .scroll{margin-top:.4rem;max-height:20rem;overflow:auto}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.5rem 0 0;padding:0;font-size:.85rem}
.legend li{display:flex;align-items:center;gap:.4rem}.legend svg{width:26px;height:12px}
svg text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--fg);font-variant-numeric:tabular-nums}
svg .tick,svg .axis{fill:var(--dim);font-size:11px}svg .value{font-weight:600}
.grid,.rail{stroke:var(--line);stroke-width:1}.reference{stroke:var(--dim);stroke-width:1.2;stroke-dasharray:4 4}
.span{stroke:var(--line);stroke-width:3;stroke-linecap:round}
.line{fill:none;stroke-width:2;stroke-linejoin:round}.whisker{fill:none;stroke-width:2}
.d1{stroke-dasharray:7 3}.d2{stroke-dasharray:2 3}.d3{stroke-dasharray:9 3 2 3}
.front{stroke:var(--dim);stroke-width:1.2;stroke-dasharray:4 4}
.mark{stroke:var(--raised);stroke-width:1}
.box{fill-opacity:.18;stroke-width:1.5}.median{stroke-width:2.5}
.bubble{fill-opacity:.28;stroke-width:1.5}.bubble.same{fill:var(--dim);stroke:var(--dim)}.bubble.above{fill:var(--good);stroke:var(--good)}.bubble.below{fill:var(--bad);stroke:var(--bad)}
svg .bubble-count{font-weight:600;font-size:11px}
${RUN_COLORS.map((_, run) => `.line.s${run},.whisker.s${run},.median.s${run}{stroke:var(--s${run})}.mark.s${run}{fill:var(--s${run})}.box.s${run}{fill:var(--s${run});stroke:var(--s${run})}`).join('\n')}
.filters{display:flex;flex-wrap:wrap;gap:.4rem 1.4rem;margin-bottom:.6rem}
.filters label{display:flex;align-items:center;gap:.4rem;min-height:24px}
input[type=checkbox]{width:1rem;height:1rem;accent-color:var(--accent);margin:0}
input[type=search]{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:.2rem .5rem}
.matrix td{border-left:1px solid var(--line)}
.matrix td a,.matrix td>span:first-child{color:inherit;font-weight:600;text-decoration:none}.matrix td a:hover{text-decoration:underline}
.matrix th[scope=row]{white-space:normal;min-width:10rem}
.matrix td.good{background:var(--good-bg)}.matrix td.partly{background:var(--partly-bg)}.matrix td.bad{background:var(--bad-bg)}
.matrix td .dim{color:var(--fg);opacity:.72}
td.good,td.partly,td.bad{color:var(--fg)}td.good .sign{color:var(--good)}td.bad .sign{color:var(--bad)}
.dots{letter-spacing:.1em;font-size:.8rem}
.matrix th button{all:unset;cursor:pointer;min-height:24px}.matrix th button:focus-visible{outline:2px solid var(--focus)}
.matrix th button::after{content:" ↕";opacity:.5}.matrix th[aria-sort=ascending] button::after{content:" ↑";opacity:1}.matrix th[aria-sort=descending] button::after{content:" ↓";opacity:1}
body:has(#only-different:checked) .matrix tbody tr:not(.different),body:has(#only-failures:checked) .matrix tbody tr:not(.failing),body:has(#only-broken:checked) .matrix tbody tr:not(.broken){display:none}
summary{cursor:pointer;min-height:24px}
.group{border:1px solid var(--line);border-radius:8px;background:var(--raised);padding:.5rem .9rem;margin-bottom:.5rem}
.group .count{display:inline-block;min-width:1.6rem;font-weight:700;font-variant-numeric:tabular-nums}
.group .detail{color:var(--dim)}
.links{margin:.4rem 0 .2rem;padding-left:1.2rem;columns:18rem;column-gap:2rem}.links li{padding:.1rem 0;min-height:24px}
.case{border:1px solid var(--line);border-radius:8px;background:var(--raised);padding:1rem;margin-bottom:1rem;content-visibility:auto;contain-intrinsic-size:auto 12rem}
.case>header{display:flex;justify-content:space-between;align-items:baseline;gap:1rem;margin-bottom:.6rem}
.case>header nav{display:flex;gap:1rem;white-space:nowrap;font-size:.85rem}
.prompt{display:flex;gap:.75rem;margin:.25rem 0}
.what{flex:none;width:4.5rem;color:var(--dim);font-size:.85rem}
.text,.code{white-space:pre-wrap;min-width:0}
.code{font:12.5px/1.5 var(--mono);background:var(--sunken);border-radius:6px;padding:.5rem .7rem;margin:.25rem 0}
.attempt{border-top:1px solid var(--line);padding:.4rem 0}
.attempt .sign{display:inline-block;width:1.2rem;font-weight:700;text-align:center}.attempt.good>summary .sign,.attempt.good>summary b{color:var(--good)}.attempt.bad>summary .sign,.attempt.bad>summary b{color:var(--bad)}.attempt.none>summary .sign{color:var(--warn)}
.body{padding:.5rem 0 .75rem 1.2rem;scroll-margin-top:6rem}
.body:target{box-shadow:inset 3px 0 var(--accent)}
.problem,.reason{margin:.25rem 0;padding:.4rem .7rem;border-radius:6px;background:var(--sunken)}.problem{background:var(--bad-bg)}
.strip{display:block;width:100%;height:18px;margin:.6rem 0;background:var(--sunken);border-radius:4px}
.strip .call{fill:var(--s0)}.strip .failed{fill:var(--bad)}.strip .message{fill:var(--good)}.strip .thought{fill:var(--dim)}.strip .plan{fill:var(--warn)}
.steps{list-style:none;margin:0;padding:0}
.step{display:flex;gap:.75rem;padding:.3rem 0;border-top:1px dashed var(--line)}.step:first-child{border-top:0}
.when{flex:none;width:4.5rem;text-align:right;color:var(--dim);font-size:.85rem;font-variant-numeric:tabular-nums}
.step .what{width:4rem}.step.thought .text{color:var(--dim);font-style:italic}
.tool{min-width:0;flex:1}.plan{margin:0;padding:0;list-style:none}
.output{border-left:3px solid var(--line);padding-left:.75rem}
.cut{color:var(--warn);font-style:italic}
.files{list-style:none;padding:0;margin:.3rem 0}
code{font:12.5px var(--mono)}
.patch{font:12.5px/1.5 var(--mono);white-space:pre-wrap;border:1px solid var(--line);border-radius:6px;padding:.4rem 0;overflow:auto;max-height:32rem}
.patch>*{display:block;padding:0 .7rem;text-decoration:none}.patch ins{background:var(--ins)}.patch del{background:var(--del)}.patch .hunk,.patch .file{color:var(--dim)}
footer{color:var(--dim);font-size:.85rem;margin-top:3rem}
@media (max-width:40rem){.inner,main{padding:0 .9rem}.step,.prompt{flex-wrap:wrap;gap:.2rem .6rem}.when{width:auto;text-align:left}.what{width:auto}.step>.text,.step>.tool,.prompt>.text{flex-basis:100%}}
@media (forced-colors:active){.mark,.line,.whisker{forced-color-adjust:none}}
@media print{:root{${LIGHT};color-scheme:light}nav.sections,.filters,.case>header nav{display:none}body{background:#fff;font-size:11px}.case,.plot,.group{break-inside:avoid;content-visibility:visible}.scroll,.code,.patch,.numbers .scroll{max-height:none;overflow:visible}details::details-content{content-visibility:visible;display:block;block-size:auto}a{color:inherit;text-decoration:none}}
`;
