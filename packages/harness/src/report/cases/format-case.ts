import type { CaseRow } from '../../compare/runs/attempt-row.ts';
import { FAILURE_WORDS } from '../../compare/runs/attempt-row.ts';
import { attemptAnchor, caseAnchor, type Links } from '../links.ts';
import type { ReportModel, TaskSummary } from '../model.ts';
import { Markup, markup } from '../page/markup.ts';
import { mark } from '../plots/figure.ts';
import { textBlock } from './cut.ts';
import { attemptFacts, verdictOf } from './format-attempt.ts';

/** The words of a case, as they were read: the question once, and the body of every attempt. */
export interface CaseText {
  readonly input: string | readonly string[];
  readonly hint?: string | undefined;
  readonly reference?: string | undefined;
  /** By run, then by the number of the attempt. */
  readonly bodies: ReadonlyMap<number, ReadonlyMap<number, Markup>>;
}

/** A case with all its attempts in all runs. */
export function formatCase(model: ReportModel, task: number, text: CaseText | undefined, links: Links): Markup {
  const { runs, tasks } = model;
  const summary = tasks[task] as TaskSummary;
  const turns = typeof text?.input === 'string' ? [text.input] : (text?.input ?? []);
  return markup`<article class="case" id="${caseAnchor(task)}">
<header><h3>${summary.id}</h3><nav aria-label="${`Around ${summary.id}`}">${task > 0 && markup`<a href="${links.caseFromCase(task - 1)}">← previous</a>`}<a href="${links.front('matrix')}">tasks</a>${task + 1 < tasks.length && markup`<a href="${links.caseFromCase(task + 1)}">next →</a>`}</nav></header>
${turns.map((turn, index) => markup`<div class="prompt"><span class="what">${turns.length > 1 ? `turn ${index + 1}` : 'prompt'}</span>${textBlock(turn, 'text')}</div>`)}${text?.hint !== undefined && markup`<div class="prompt"><span class="what">hint</span>${textBlock(text.hint, 'text')}</div>`}${text?.reference !== undefined && markup`<div class="prompt"><span class="what">reference</span>${textBlock(text.reference, 'text')}</div>`}
${summary.rows.map((row, run) => row && formatRun({ row, run, task, label: runs[run]?.label ?? '', hasOthers: runs.length > 1, text }))}</article>
`;
}

interface RunOfCase {
  readonly row: CaseRow;
  readonly run: number;
  readonly task: number;
  readonly label: string;
  readonly hasOthers: boolean;
  readonly text: CaseText | undefined;
}

function formatRun({ row, run, task, label, hasOthers, text }: RunOfCase): Markup {
  return markup`<section class="run">${hasOthers && markup`<h4><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">${mark(run, 6, 6)}</svg>${label}</h4>`}${row.attempts.map(
    (attempt) => {
      const { name, mark: sign, word } = verdictOf(attempt);
      const body = text?.bodies.get(run)?.get(attempt.number);
      const why = attempt.cause === undefined ? '' : ` · ${FAILURE_WORDS[attempt.cause.kind]}`;
      return markup`<details class="attempt ${name}"><summary><span class="sign">${sign}</span> <b>${word}</b>${row.attempts.length > 1 && ` try ${attempt.number}`} <span class="dim">${attemptFacts(attempt)}${why}</span></summary><div id="${attemptAnchor(task, run, attempt.number)}" class="body">${body ?? new Markup('<p class="none">Nothing more is known of this attempt.</p>')}</div></details>\n`;
    },
  )}</section>`;
}
