import { htmlDocument } from '@parley/host/markup';
import type { RunRows } from '../compare/runs/attempt-row.ts';
import type { Result } from '../compare/runs/read-results.ts';
import { type RunSource, readRun } from '../compare/runs/read-run.ts';
import type { ReadLinesOptions } from '../formats/index.ts';
import { formatAttempts } from './cases/format-attempt.ts';
import { type CaseText, formatCase } from './cases/format-case.ts';
import { caseFile, type Links, NO_CASES, SINGLE_FILE, SPLIT } from './links.ts';
import { createModel, type ReportModel, type ReportOptions } from './model.ts';
import { linked, type Markup, markup } from './page/markup.ts';
import { SCRIPT } from './page/script.ts';
import { STYLE } from './page/style.ts';
import { differencesSection } from './sections/differences.ts';
import { failuresSection } from './sections/failures.ts';
import { headerSection, navigation } from './sections/header.ts';
import { matrixSection } from './sections/matrix.ts';
import { plotsSection } from './sections/plots.ts';
import { runsSection } from './sections/runs.ts';

export interface CreateReportOptions extends ReportOptions, ReadLinesOptions {}

/** A report that was made, and can be written in one file or in several. */
export interface Report {
  readonly model: ReportModel;
  /** Everything in one page. */
  toHtml(): string;
  /** A front page, and a page for each case; paths are from the folder that holds them. */
  toPages(): Iterable<{ readonly path: string; readonly html: string }>;
}

/** Reads runs and makes the report on them. The words of every attempt stay in memory as markup until it is written. */
export async function createReport(sources: readonly RunSource[], options: CreateReportOptions = {}): Promise<Report> {
  const texts = new Map<string, MutableText>();
  const runs: RunRows[] = [];
  for (const [run, source] of sources.entries()) {
    runs.push(await readRun(source, { ...options, onResult: (result) => keep(texts, run, result) }));
  }
  const model = createModel(runs, options);
  return {
    model,
    toHtml: () => page(model, frontPage(model, SINGLE_FILE, allCases(model, texts))),
    *toPages() {
      yield { path: 'index.html', html: page(model, frontPage(model, SPLIT, caseList(model))) };
      for (const [task, { id }] of model.tasks.entries()) {
        const body = markup`<main class="single">${formatCase(model, task, texts.get(id), SPLIT)}</main>`;
        const html = htmlDocument({ title: `${id} · ${model.title}`, style: STYLE, body: body.text });
        yield { path: `cases/${caseFile(task)}`, html };
      }
    },
  };
}

/** A report on rows alone: everything but the cases. */
export function formatRows(runs: readonly RunRows[], options: ReportOptions = {}): string {
  const model = createModel(runs, options);
  return page(model, frontPage(model, NO_CASES));
}

interface MutableText extends CaseText {
  readonly bodies: Map<number, ReadonlyMap<number, Markup>>;
}

function keep(texts: Map<string, MutableText>, run: number, result: Result): void {
  const { id, input, hint, reference } = result.value;
  const text = texts.get(id) ?? { input, hint, reference, bodies: new Map() };
  texts.set(id, text);
  text.bodies.set(run, formatAttempts(result));
}

function frontPage(model: ReportModel, links: Links, cases?: Markup): Markup {
  return markup`${headerSection(model)}${navigation(model, cases !== undefined)}<main>
${runsSection(model)}${plotsSection(model)}${differencesSection(model)}${matrixSection(model, links)}${failuresSection(model, links)}
${cases !== undefined && markup`<section id="cases"><h2>Cases</h2>${cases}</section>`}
<footer>Made by parley eval. Nothing in this page is loaded from elsewhere.</footer></main>`;
}

function allCases(model: ReportModel, texts: ReadonlyMap<string, CaseText>): Markup {
  return markup`${model.tasks.map(({ id }, task) => formatCase(model, task, texts.get(id), SINGLE_FILE))}`;
}

function caseList({ tasks }: ReportModel): Markup {
  const entries = tasks.map(({ id }, task) => markup`<li>${linked(SPLIT.caseFromFront(task), id)}</li>`);
  return markup`<ul class="links">${entries}</ul>`;
}

function page({ title }: ReportModel, body: Markup): string {
  return htmlDocument({ title, style: STYLE, body: body.text, script: SCRIPT });
}
