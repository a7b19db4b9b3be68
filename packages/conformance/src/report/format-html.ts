import { escapeMarkup, htmlDocument } from '@parley/host/markup';
import { STYLE } from './html-style.ts';
import { type CheckResult, OUTCOMES, type Report } from './report.ts';
import { type GroupScore, groupScores, headline, MARKS, OUTCOME_WORDS, scores, untold } from './wording.ts';

/** The report as one file without scripts. The filter is a part of the address, so that a link keeps it. */
export function formatHtml(report: Report): string {
  return htmlDocument({
    title: `ACP v${report.protocolVersion} · ${report.name ?? report.target}`,
    style: STYLE,
    body: `${OUTCOMES.map((outcome) => `<a id="${outcome}"></a>`).join('')}
<header>
<h1>${escapeMarkup(headline(report))}</h1>
<p class="scores">${scores(report)
      .map(({ text, outcome }) => `<span class="${outcome}">${escapeMarkup(text)}</span>`)
      .join(' ')}</p>
<p>${escapeMarkup(untold(report))}</p>
<nav aria-label="Filter"><a href="#all">all ${report.results.length}</a>${OUTCOMES.map((outcome) => filterLink(report, outcome)).join('')}</nav>
</header>
<div class="columns">
<nav aria-label="Groups"><ul>${groupScores(report)
      .map(
        ({ group, text, outcome }) =>
          `<li><a href="#${slug(group)}">${escapeMarkup(group)}</a> <span class="${outcome}">${text}</span></li>`,
      )
      .join('')}</ul></nav>
<main>${groupScores(report).map(formatGroup).join('\n')}</main>
</div>`,
  });
}

function filterLink({ results }: Report, outcome: CheckResult['outcome']): string {
  const count = results.filter((result) => result.outcome === outcome).length;
  return count === 0 ? '' : `<a class="${outcome}" href="#${outcome}">${OUTCOME_WORDS[outcome]} ${count}</a>`;
}

function formatGroup({ group, results }: GroupScore): string {
  return `<section id="${slug(group)}"><h2>${escapeMarkup(group)}</h2>${results.map(formatResult).join('')}</section>`;
}

function formatResult(result: CheckResult): string {
  const { id, level, says, outcome, source, expected, got, reason, wire = [], repro, durationMs, rules } = result;
  const isOpen = outcome === 'fail' || outcome === 'flaky';
  const facts = [
    ['specification', source],
    ['rules', rules.join(', ')],
    ...(expected === undefined
      ? [['why', reason ?? '']]
      : [
          ['expected', expected],
          ['got', got ?? ''],
        ]),
    ['took', `${durationMs} ms`],
    ['repro', repro],
  ].filter(([, value]) => value !== '');
  return `<details class="check ${outcome}" id="${id}"${isOpen ? ' open' : ''}>
<summary><span class="${outcome}">${MARKS[outcome]} ${OUTCOME_WORDS[outcome]}</span> <b>${id}</b> ${level} ${escapeMarkup(says)}</summary>
<dl>${facts.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escapeMarkup(value)}</dd>`).join('')}</dl>
${wire.length === 0 ? '' : `<pre>${escapeMarkup(wire.join('\n'))}</pre>`}</details>`;
}

function slug(text: string): string {
  return `group-${text.replaceAll(' ', '-')}`;
}
