import { count, duration, intervalWords, money, percent } from '../../compare/wording.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { ReportModel, RunSummary } from '../model.ts';
import { type Markup, markup, type Part, px } from '../page/markup.ts';
import { dataTable, mark } from '../plots/figure.ts';

/** Every run in a line of numbers. */
export function runsSection({ runs }: ReportModel): Markup {
  const columns = COLUMNS.filter(({ isShown }) => runs.some(isShown));
  const intervals = [...new Set(runs.flatMap(({ interval }) => (interval ? [intervalWords(interval)] : [])))];
  return markup`<section id="runs"><h2>Runs</h2>
${dataTable(
  {
    header: ['run', ...columns.map(({ name }) => name(runs))],
    rows: runs.map((run, index) => [
      markup`<span class="run-name"><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">${mark(index, 6, 6)}</svg>${run.label}</span>`,
      ...columns.map(({ show }) => show(run, index)),
    ]),
  },
  'Runs',
  'runs',
)}
${intervals.length > 0 && markup`<p class="note">Range of the pass rate: ${intervals.join('; ')}.</p>`}</section>`;
}

interface Column {
  name(runs: readonly RunSummary[]): string;
  isShown(run: RunSummary): boolean;
  show(run: RunSummary, index: number): Part;
}

const COLUMNS: readonly Column[] = [
  {
    name: () => 'passed',
    isShown: () => true,
    show: ({ passRate }) => (passRate === undefined ? 'not graded' : markup`<b>${percent(passRate)}</b>`),
  },
  {
    name: () => 'range',
    isShown: ({ interval }) => interval !== undefined,
    show: ({ interval, passRate }, index) =>
      interval && passRate !== undefined ? rangeBar(interval, passRate, index) : '–',
  },
  {
    name: (runs) => `pass@${runs[0]?.k ?? 'k'}`,
    isShown: ({ k, passAtK }) => k > 1 && passAtK !== undefined,
    show: ({ passAtK }) => (passAtK === undefined ? '–' : percent(passAtK)),
  },
  {
    name: (runs) => `pass^${runs[0]?.k ?? 'k'}`,
    isShown: ({ k, passExpK }) => k > 1 && passExpK !== undefined,
    show: ({ passExpK }) => (passExpK === undefined ? '–' : percent(passExpK)),
  },
  {
    name: () => 'tasks',
    isShown: () => true,
    show: ({ tasks, attempts }) => {
      const each = attempts / tasks;
      if (each === 1) return tasks.toLocaleString('en');
      return `${tasks.toLocaleString('en')} × ${Number.isInteger(each) ? each : each.toFixed(1)}`;
    },
  },
  {
    name: () => 'median time',
    isShown: () => true,
    show: ({ durations }) => (durations ? duration(durations.p50) : '–'),
  },
  { name: () => 'p90', isShown: () => true, show: ({ durations }) => (durations ? duration(durations.p90) : '–') },
  {
    name: () => 'tokens',
    isShown: ({ tokens }) => tokens !== undefined,
    show: ({ tokens }) => (tokens ? count(Math.round(tokens.mean)) : '–'),
  },
  {
    name: () => 'cost',
    isShown: ({ totalCost }) => totalCost !== undefined,
    show: ({ totalCost, currency }) => (totalCost === undefined ? '–' : money(totalCost, currency)),
  },
  { name: () => 'tools', isShown: ({ toolCalls }) => toolCalls > 0, show: ({ toolCalls }) => toolCalls.toFixed(1) },
  { name: () => 'denied', isShown: ({ denied }) => denied > 0, show: ({ denied }) => denied },
  {
    name: () => 'errors',
    isShown: () => true,
    show: ({ errors }) => (errors === 0 ? '0' : markup`<span class="bad">${errors}</span>`),
  },
  {
    name: () => 'not counted',
    isShown: ({ excluded }) => excluded > 0,
    show: ({ excluded }) => (excluded === 0 ? '0' : markup`<span class="warn">${excluded}</span>`),
  },
];

const BAR_WIDTH = 100;

function rangeBar({ low, high }: Interval, value: number, index: number): Markup {
  const x = (share: number): number => px(4 + share * (BAR_WIDTH - 8));
  return markup`<span class="range"><svg viewBox="0 0 ${BAR_WIDTH} 14" width="${BAR_WIDTH}" height="14" aria-hidden="true"><line class="rail" x1="4" y1="7" x2="${BAR_WIDTH - 4}" y2="7"/><line class="whisker s${index % 8}" x1="${x(low)}" y1="7" x2="${x(high)}" y2="7"/>${mark(index, x(value), 7)}</svg> ${percent(low)} – ${percent(high)}</span>`;
}
