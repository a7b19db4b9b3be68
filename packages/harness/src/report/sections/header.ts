import { percent, verdict } from '../../compare/wording.ts';
import type { ReportModel } from '../model.ts';
import { type Markup, markup } from '../page/markup.ts';

/** The first thing to read: what was run, and what came of it, in sentences. */
export function headerSection(model: ReportModel): Markup {
  const { title, generatedAt, runs, tasks, level, seed } = model;
  const attempts = runs.reduce((sum, run) => sum + run.attempts, 0);
  const facts = [
    plural(runs.length, 'run'),
    plural(tasks.length, 'task'),
    ...(attempts === runs.length * tasks.length ? [] : [plural(attempts, 'attempt')]),
    `intervals at ${percent(level)}`,
    `seed ${seed}`,
  ];
  return markup`<header class="top"><div class="inner">
<h1>${title}</h1>
<p class="facts">${facts.join(' · ')} · <time datetime="${generatedAt}">${generatedAt.slice(0, 16).replace('T', ' ')} UTC</time></p>
<ul class="findings">${findings(model).map((line) => markup`<li>${line}</li>`)}</ul>
</div></header>`;
}

export function navigation(model: ReportModel, hasCases: boolean): Markup {
  const { comparison, failures, tasks } = model;
  return markup`<nav class="sections" aria-label="Sections"><div class="inner"><a href="#runs">Runs</a><a href="#plots">Plots</a>${comparison !== undefined && markup`<a href="#differences">Differences</a>`}<a href="#matrix">Tasks</a>${failures.length > 0 && markup`<a href="#failures">Failures</a>`}${hasCases && markup`<a href="#cases">Cases <span class="dim">${tasks.length}</span></a>`}</div></nav>`;
}

function findings({ runs, comparison, tasks }: ReportModel): readonly string[] {
  const rates = runs.map(({ label, passRate, interval, k, passExpK }) => {
    if (passRate === undefined) return `${label}: nothing was graded.`;
    const range = interval === undefined ? '' : ` (${percent(interval.low)} to ${percent(interval.high)})`;
    const always =
      k > 1 && passExpK !== undefined ? `; all of ${k} attempts pass on ${percent(passExpK)} of the tasks` : '';
    return `${label} passes ${percent(passRate)} of the attempts${range}${always}.`;
  });
  const judged = comparison?.comparisons.filter(({ metric }) => metric === 'passRate' || metric === 'durationMs') ?? [];
  const different = tasks.filter(({ isDifferent }) => isDifferent).length;
  return [
    ...rates,
    ...judged.slice(0, 4).map((one) => `${capital(verdict(one))}.`),
    ...(comparison === undefined ? [] : [`${plural(different, 'task')} solved by some runs and not by others.`]),
  ];
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
