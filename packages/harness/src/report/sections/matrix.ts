import type { CaseRow } from '../../compare/runs/attempt-row.ts';
import { isSolved, taskPassRate, triesOf } from '../../compare/runs/task-values.ts';
import { duration, percent } from '../../compare/wording.ts';
import { verdictOf } from '../cases/format-attempt.ts';
import type { Links } from '../links.ts';
import type { ReportModel, TaskSummary } from '../model.ts';
import { linked, type Markup, markup } from '../page/markup.ts';

/** Tasks against runs. The boxes above it hide rows by style alone; the script adds searching and sorting. */
export function matrixSection(model: ReportModel, links: Links): Markup {
  const { runs, tasks, baseline } = model;
  const [different, failing, broken] = [
    tasks.filter(({ isDifferent }) => isDifferent).length,
    tasks.filter(({ hasFailure }) => hasFailure).length,
    tasks.filter(({ isBroken }) => isBroken).length,
  ];
  return markup`<section id="matrix"><h2>Tasks</h2>
<div class="filters">${runs.length > 1 && filter('only-different', `only where runs differ (${different})`)}${filter('only-failures', `only failures (${failing})`)}${runs.length > 1 && filter('only-broken', `only what ${baseline} solved and others do not (${broken})`)}<label class="search" hidden>find <input type="search" id="find" autocomplete="off"></label></div>
<div class="scroll" role="group" aria-label="Tasks and runs" tabindex="0"><table class="matrix" id="tasks"><thead><tr><th scope="col">task</th>${runs.map(({ label }) => markup`<th scope="col">${label}</th>`)}</tr></thead><tbody>
${tasks.map((task, index) => row(task, index, links))}</tbody></table></div>
<p class="note">● an attempt that passed, ○ one that failed, – one that was not judged. A task counts as solved when at least half of its attempts passed.</p></section>`;
}

function filter(id: string, words: string): Markup {
  return markup`<label><input type="checkbox" id="${id}"> ${words}</label>`;
}

function row({ id, rows, isDifferent, hasFailure, isBroken }: TaskSummary, index: number, links: Links): Markup {
  const names = [isDifferent && 'different', hasFailure && 'failing', isBroken && 'broken'].filter(Boolean).join(' ');
  return markup`<tr class="${names}"><th scope="row">${linked(links.caseFromFront(index), id)}</th>${rows.map((each, run) => cell(each, index, run, links))}</tr>\n`;
}

/** More attempts than this are only counted. */
const MAX_DOTS = 12;

function cell(row: CaseRow | undefined, task: number, run: number, links: Links): Markup {
  if (row === undefined) return markup`<td class="missing"><span class="dim">not run</span></td>`;
  const { passes, trials } = triesOf(row);
  const rate = taskPassRate(row);
  const solved = isSolved(row);
  const name = solved === undefined ? 'none' : rate === 1 ? 'good' : solved ? 'partly' : 'bad';
  const [first] = row.attempts;
  if (row.attempts.length === 1 && first !== undefined) {
    const { mark, word } = verdictOf(first);
    const score =
      first.score !== undefined && first.score > 0 && first.score < 1 ? ` ${Number(first.score.toFixed(2))}` : '';
    return markup`<td class="${name}" data-value="${first.score ?? rate ?? -1}">${linked(links.attemptFromFront(task, run, first.number), markup`<span class="sign">${mark}</span> ${word}${score}`)} <span class="dim">${duration(first.durationMs)}</span></td>`;
  }
  const dots = row.attempts.slice(0, MAX_DOTS).map(({ pass }) => (pass === undefined ? '–' : pass ? '●' : '○'));
  const more = row.attempts.length > MAX_DOTS ? '…' : '';
  const target = row.attempts.find(({ pass }) => pass === false) ?? first;
  return markup`<td class="${name}" data-value="${rate ?? -1}">${linked(links.attemptFromFront(task, run, target?.number ?? 1), `${passes}/${trials}`)} <span class="dots" aria-hidden="true">${dots.join('')}${more}</span>${rate !== undefined && markup`<span class="hidden"> ${percent(rate)}</span>`}</td>`;
}
