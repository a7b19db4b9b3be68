import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createPolicy, decide, type Policy, type ToolRequest } from '../src/index.ts';
import { MAX_COMMAND_CHARS } from '../src/shell/check-text.ts';

/** What the bench measures: decisions on everyday commands, and the worst of the hostile command lines. */
export interface PolicyFigures {
  readonly decisionsPerSecond: number;
  /** The same when nothing is kept, so that every line is parsed and judged anew. */
  readonly newDecisionsPerSecond: number;
  readonly hostileMs: number;
  /** The slowest of the hostile lines that are short enough to be parsed. */
  readonly hostileParsedMs: number;
}

const WARM_UP_MS = 2000;
const MEASURE_MS = 1000;
const HOSTILE_CHARS = 1024 * 1024;
const HOSTILE_PIECES = [
  'a;',
  '$(',
  '`',
  "'",
  '"',
  '(',
  '{a,b}',
  '*',
  '${',
  '<<E ',
  '>x ',
  'a|',
  'ssh ',
  'sh -c ',
  '\\',
  '\u200b',
];

/** Decides each everyday command of the corpus in turn, every time from its text, and then hostile lines of 1 MB. */
export function benchPolicy(): PolicyFigures {
  const options = { workspace: { cwd: '/proj/app', home: '/home/me' }, rules: readRules() };
  const [policy, forgetful] = [createPolicy(options), createPolicy({ ...options, maxCachedLines: 0 })];
  const requests = readCommands().map(toRequest);
  measure(forgetful, requests, WARM_UP_MS);
  return {
    decisionsPerSecond: Math.round(measure(policy, requests, MEASURE_MS)),
    newDecisionsPerSecond: Math.round(measure(forgetful, requests, MEASURE_MS)),
    hostileMs: slowest(policy, HOSTILE_CHARS),
    hostileParsedMs: slowest(policy, MAX_COMMAND_CHARS),
  };
}

function measure(policy: Policy, requests: readonly ToolRequest[], forMs: number): number {
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < forMs) {
    for (const request of requests) decide(policy, request);
    count += requests.length;
  }
  return count / ((performance.now() - start) / 1000);
}

function slowest(policy: Policy, length: number): number {
  const times = HOSTILE_PIECES.flatMap((piece) =>
    ['', 'git ', 'echo "'].map((start) => {
      const line = (start + piece.repeat(Math.ceil(length / piece.length))).slice(0, length);
      const before = performance.now();
      decide(policy, toRequest(line));
      return performance.now() - before;
    }),
  );
  return Math.round(Math.max(...times) * 100) / 100;
}

function toRequest(line: string): ToolRequest {
  return { tool: 'Bash', kind: 'execute', command: { type: 'line', line } };
}

function readRules(): readonly string[] {
  return JSON.parse(readCorpusFile('rule-sets.json'))['@everyday'];
}

function readCommands(): readonly string[] {
  const rows = readCorpusFile('everyday.tsv')
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'));
  return rows
    .map((row) => row.split('\t')[2] ?? '')
    .map((text) => (text.startsWith('json:') ? JSON.parse(text.slice('json:'.length)) : text));
}

function readCorpusFile(name: string): string {
  return readFileSync(new URL(`../corpus/${name}`, import.meta.url), 'utf8');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = benchPolicy();
  console.log(process.argv.includes('--json') ? JSON.stringify({ figures: toPromises(figures) }) : figures);
}

/** As `npm run bench` reads it: each value with what must hold. */
function toPromises(figures: PolicyFigures): object[] {
  const { decisionsPerSecond, newDecisionsPerSecond, hostileMs, hostileParsedMs } = figures;
  return [
    {
      workload: 'policy: everyday commands',
      unit: 'decisions/s',
      value: decisionsPerSecond,
      hold: 100_000,
      isAtLeast: true,
    },
    { workload: 'policy: commands never seen before', unit: 'decisions/s', value: newDecisionsPerSecond },
    { workload: 'policy: hostile line of 1 MB', unit: 'ms', value: hostileMs, hold: 50 },
    { workload: 'policy: hostile line of 32 KiB', unit: 'ms', value: hostileParsedMs },
  ];
}
