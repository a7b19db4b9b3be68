import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

/** The ids alone are more than the heap of the command: whoever keeps them, or lines, does not come to the end. */
const [LINES, ID_CHARACTERS, HEAP_MEGABYTES] = [50_000, 1000, 32];
const PREFIX = 'x'.repeat(ID_CHARACTERS);

const toCase = (id: string): object => ({ id, input: 'x', metadata: { category: 'c' } });
const toResult = (id: string): object => ({
  id,
  input: 'x',
  output: 'y',
  trajectory: [{ type: 'message', content: 'y', timestamp: 1 }],
  metadata: {},
  timing: { start: 0, end: 1, sessionCreation: 0, total: 1 },
  toolErrors: false,
});

/** A hundred lines at a time. */
function* linesOf(toLine: (id: string) => object): Generator<string> {
  const lineAt = (index: number): string => `${JSON.stringify(toLine(`${PREFIX}${index}`))}\n`;
  for (let from = 0; from < LINES; from += 100)
    yield Array.from({ length: 100 }, (_, index) => lineAt(from + index)).join('');
}

/** Pipes lines through a command; of what it says only the number of lines and the end are kept. */
async function pipeThrough(name: string, toLine: (id: string) => object) {
  const child = spawn(process.execPath, [parley.program, 'eval', name], {
    cwd: parley.folder,
    env: { ...parley.env, NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` },
  });
  const ended = once(child, 'close');
  let [lines, end, stderr] = [0, '', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines += text.split('\n').length - 1;
    end = (end + text).slice(-1000);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that dies half way no longer reads; its exit code tells.
  await pipeline(Readable.from(linesOf(toLine)), child.stdin).catch(() => {});
  const [code] = await ended;
  return { code, lines, end, stderr };
}

describe('lines that are more than memory has room for', () => {
  it.each([
    ['balance', toCase, { end: expect.stringContaining(`"count": ${LINES}`) }],
    ['summarize', toResult, { lines: LINES }],
  ] as const)('go through parley eval %s', { timeout: 60_000 }, async (name, toLine, expected) => {
    expect(await pipeThrough(name, toLine)).toMatchObject({ code: 0, stderr: '', ...expected });
  });
});
