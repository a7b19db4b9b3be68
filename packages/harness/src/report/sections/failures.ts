import { FAILURE_WORDS } from '../../compare/runs/attempt-row.ts';
import type { FailureGroup } from '../failure-groups.ts';
import type { Links } from '../links.ts';
import type { ReportModel } from '../model.ts';
import { linked, type Markup, markup } from '../page/markup.ts';
import { plural } from './header.ts';

/** How many attempts a group links to before it only counts. */
const MAX_LINKS = 40;
const MAX_GROUPS = 60;

/** Failures by their cause: what to repair first. */
export function failuresSection({ failures, runs, tasks }: ReportModel, links: Links): Markup | undefined {
  if (failures.length === 0) return undefined;
  const index = new Map(tasks.map(({ id }, position) => [id, position]));
  const labels = runs.map(({ label }) => label);
  const more = failures.length - MAX_GROUPS;
  return markup`<section id="failures"><h2>Failures</h2>
<div class="groups">${failures.slice(0, MAX_GROUPS).map((group) => formatGroup(group, labels, index, links))}</div>${more > 0 && markup`<p class="note">${plural(more, 'more group')} of few attempts each; the list of tasks has them all.</p>`}</section>`;
}

function formatGroup(
  { kind, detail, attempts }: FailureGroup,
  labels: readonly string[],
  index: ReadonlyMap<string, number>,
  links: Links,
): Markup {
  const isFault = kind === 'grader' || kind === 'workspace';
  const byRun = labels
    .map((label, run) => ({ label, count: attempts.filter((attempt) => attempt.run === run).length }))
    .filter(({ count }) => count > 0);
  const more = attempts.length - MAX_LINKS;
  return markup`<details class="group"><summary><span class="count ${isFault ? 'warn' : 'bad'}">${attempts.length}</span> <b>${FAILURE_WORDS[kind]}</b>${isFault && markup` <span class="warn">not counted</span>`} ${detail !== '' && markup`<span class="detail">${detail}</span>`} <span class="dim">${byRun.map(({ label, count }) => (labels.length > 1 ? `${label} ${count}` : '')).join(' · ')}</span></summary>
<ul class="links">${attempts
    .slice(0, MAX_LINKS)
    .map(
      ({ run, task, number, detail: own }) =>
        markup`<li>${linked(links.attemptFromFront(index.get(task) ?? 0, run, number), markup`${task}${labels.length > 1 && ` · ${labels[run] ?? ''}`}${number > 1 && ` · try ${number}`}`)}${own !== detail && markup` <span class="dim">${own}</span>`}</li>`,
    )}${more > 0 && markup`<li class="dim">and ${more} more</li>`}</ul></details>`;
}
