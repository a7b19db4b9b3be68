import type { MessageKind, WaitsOn } from '@parley/session/traces';

/** What a row of the table is asked. */
export interface Matched {
  readonly kind: MessageKind | 'noise' | 'stderr';
  readonly method: string;
  readonly summary: string;
  readonly direction: 'in' | 'out';
  readonly id: string;
  readonly agent: string;
  readonly side: string;
  readonly sessionId: string;
  readonly size: number;
  /** Undefined for what is no request, nor an answer to one. */
  readonly durationMs: number | undefined;
  readonly waitsOn: WaitsOn | undefined;
  readonly status: RowStatus;
  /** All of it, for expressions. */
  readonly text: () => string;
}

/** `ok`, `error` (answered with one), `open` (not answered yet), `invalid` (breaks the schema or a rule), `noise`. */
export type RowStatus = 'ok' | 'error' | 'open' | 'invalid' | 'noise';

export interface Filter {
  readonly matches: (row: Matched) => boolean;
  /** What could not be understood, in words; those terms are left out. */
  readonly problems: readonly string[];
}

type Test = (row: Matched) => boolean;

/** Reads a filter such as `method:session/* -chunk dir:in status:error /regex/ slow>1s`. All terms must hold. */
export function parseFilter(text: string): Filter {
  const tests: Test[] = [];
  const problems: string[] = [];
  for (const term of splitTerms(text)) {
    const isNot = term.length > 1 && term.startsWith('-');
    const test = readTerm(isNot ? term.slice(1) : term);
    if (typeof test === 'string') problems.push(test);
    else tests.push(isNot ? (row) => !test(row) : test);
  }
  return { problems, matches: (row) => tests.every((test) => test(row)) };
}

/** The terms of a filter: words, texts in quotes, and expressions between slashes. */
export function splitTerms(text: string): readonly string[] {
  return text.match(/-?\/(?:[^/\\]|\\.)+\/[a-z]*(?=\s|$)|(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}

/** The same filter with a term, or without it if it was there. */
export function toggleTerm(text: string, term: string): string {
  const terms = splitTerms(text);
  return (terms.includes(term) ? terms.filter((each) => each !== term) : [...terms, term]).join(' ');
}

/** The same filter with this value for a name, in place of others; without it for an empty one. */
export function setTerm(text: string, name: string, value: string): string {
  const others = splitTerms(text).filter((term) => !term.startsWith(`${name}:`));
  const quoted = /[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value;
  return (value === '' ? others : [...others, `${name}:${quoted}`]).join(' ');
}

/** The value that a name has in a filter. */
export function termValue(text: string, name: string): string {
  const term = splitTerms(text).find((each) => each.startsWith(`${name}:`));
  return term?.slice(name.length + 1).replaceAll('"', '') ?? '';
}

const STATUSES: readonly RowStatus[] = ['ok', 'error', 'open', 'invalid', 'noise'];

/** What can be asked by name. Each tells whether a value fits; those with a list take no others. */
const NAMES: Readonly<Record<string, { readonly values?: readonly string[]; readonly of: (row: Matched) => string }>> =
  {
    method: { of: (row) => row.method },
    dir: { values: ['in', 'out'], of: (row) => (row.kind === 'stderr' ? '' : row.direction) },
    status: { values: STATUSES, of: (row) => row.status },
    kind: { values: ['request', 'notification', 'response', 'error', 'noise', 'stderr'], of: (row) => row.kind },
    session: { of: (row) => row.sessionId },
    agent: { of: (row) => row.agent },
    side: { values: ['client', 'agent'], of: (row) => row.side },
    id: { of: (row) => row.id },
    waits: { values: ['person', 'agent', 'client'], of: (row) => row.waitsOn ?? '' },
  };

function readTerm(term: string): Test | string {
  const expression = /^\/(.+)\/([a-z]*)$/s.exec(term);
  if (expression) return readExpression(expression[1] ?? '', expression[2] ?? '');
  const measure = /^(slow|size)([<>])(.*)$/.exec(term);
  if (measure) return readMeasure(term, measure[1] ?? '', measure[2] ?? '', measure[3] ?? '');
  const named = /^([a-z]+):(?!\/\/)(.*)$/s.exec(term);
  if (named) return readNamed(named[1] ?? '', (named[2] ?? '').replaceAll('"', ''));
  const word = term.replaceAll('"', '').toLowerCase();
  return (row) => `${row.method} ${row.summary}`.toLowerCase().includes(word);
}

function readExpression(source: string, flags: string): Test | string {
  try {
    const expression = new RegExp(source, flags.includes('i') ? 'iu' : 'u');
    return (row) => expression.test(row.text());
  } catch (error) {
    return `/${source}/ is no regular expression: ${(error as Error).message.replace(/^.*: /, '')}.`;
  }
}

function readNamed(name: string, value: string): Test | string {
  const named = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (!named) return `There is no "${name}:"; there are ${Object.keys(NAMES).join(', ')}, slow> and size>.`;
  if (value === '') return `"${name}:" has no value.`;
  const wanted = value.split(',').filter((part) => part !== '');
  const wrong = named.values && wanted.find((part) => !named.values?.includes(part));
  if (wrong !== undefined) return `"${name}:${wrong}" is none of ${named.values?.join(', ')}.`;
  const patterns = wanted.map((part) => toPattern(part, named.values === undefined && name !== 'id'));
  return (row) => patterns.some((pattern) => pattern.test(named.of(row)));
}

/** `*` stands for anything. Names that nobody types whole need only begin so. */
function toPattern(part: string, isOpen: boolean): RegExp {
  const source = part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${source}${isOpen && !part.includes('*') ? '' : '$'}`, 'isu');
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  b: 1,
  k: 1024,
  kb: 1024,
  mb: 1_048_576,
};

function readMeasure(term: string, name: string, sign: string, value: string): Test | string {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(value) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  const isTime = /^(|ms|s|m|min)$/i.test(unit);
  if (digits === '' || factor === undefined || (name === 'slow') !== isTime)
    if (!(name === 'size' && unit === '' && digits !== ''))
      return name === 'slow'
        ? `"${term}" is no duration: write slow>1s or slow>250ms.`
        : `"${term}" is no size: write size>10kb or size>500.`;
  const limit = Number(digits) * (factor ?? 1);
  const of = (row: Matched): number | undefined => (name === 'slow' ? row.durationMs : row.size);
  return (row) => {
    const measured = of(row);
    return measured !== undefined && (sign === '>' ? measured > limit : measured < limit);
  };
}
