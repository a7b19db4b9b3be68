import { htmlDocument } from '@parley/host/markup';
import type { RunRows } from '../compare/runs/attempt-row.ts';
import type { Result } from '../compare/runs/read-results.ts';
import { type RunSource, readRun } from '../compare/runs/read-run.ts';
import type { ReadLinesOptions } from '../formats/index.ts';
import { formatAttempts } from './cases/format-attempt.ts';
import { type CaseText, formatCase } from './cases/format-case.ts';
import { caseFile, type Links, SINGLE_FILE, SPLIT } from './links.ts';
import { createModel, type ReportModel, type ReportOptions } from './model.ts';
import { type Markup, markup } from './page/markup.ts';
import { SCRIPT } from './page/script.ts';
import { STYLE } from './page/style.ts';
import { failuresSection } from './sections/failures.ts';
import { headerSection, navigation } from './sections/header.ts';
import { matrixSection } from './sections/matrix.ts';
import { differencesSection, plotsSection } from './sections/plots.ts';
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
    toHtml: () => page(model, frontPage(model, texts, SINGLE_FILE, true)),
    *toPages() {
      yield { path: 'index.html', html: page(model, frontPage(model, texts, SPLIT, false)) };
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
  return page(model, frontPage(model, new Map(), SINGLE_FILE, true));
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

function frontPage(model: ReportModel, texts: ReadonlyMap<string, CaseText>, links: Links, hasCases: boolean): Markup {
  return markup`${headerSection(model)}${navigation(model)}<main>
${runsSection(model)}${plotsSection(model)}${differencesSection(model)}${matrixSection(model, links)}${failuresSection(model, links)}
<section id="cases"><h2>Cases</h2>${
    hasCases
      ? model.tasks.map(({ id }, task) => formatCase(model, task, texts.get(id), links))
      : markup`<ul class="links">${model.tasks.map(({ id }, task) => markup`<li><a href="${links.caseFromFront(task)}">${id}</a></li>`)}</ul>`
  }</section>
<footer>Made by parley eval report. Nothing in this page is loaded from elsewhere.</footer></main>`;
}

function page({ title }: ReportModel, body: Markup): string {
  return htmlDocument({ title, style: STYLE, body: body.text, script: SCRIPT });
}
