import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  captureResult,
  FORMATS,
  graderResult,
  openLineWriter,
  promptCase,
  readAllLines,
  readJsonLines,
  trialResult,
  validationResult,
} from './index.ts';

const capture = {
  id: 'a',
  input: ['one', 'two'],
  output: 'done',
  trajectory: [
    { type: 'thought', content: 'hm', timestamp: 1 },
    { type: 'tool_call', name: 'Read', status: 'completed', timestamp: 2, duration: 0, input: { path: 'x' } },
    { type: 'plan', entries: [], timestamp: 3 },
    { type: 'message', content: 'done', timestamp: 4, stepId: 'a-step-4' },
  ],
  metadata: { agent: 'x', trajectoryRichness: 'full', turnCount: 2 },
  timing: { start: 1, end: 9, sessionCreation: 2, total: 8 },
  toolErrors: false,
};
const lines = (...values: unknown[]): Readable => Readable.from(values.map((value) => `${JSON.stringify(value)}\n`));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-formats-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a format', () => {
  it('reads lines that other harnesses write, fields that it does not know included', async () => {
    const other = { ...capture, custom: { a: 1 }, score: { pass: true, score: 1 } };
    expect(await readAllLines(lines(capture, other), captureResult)).toEqual([capture, other]);
  });

  it('knows fields by their old names as well', () => {
    expect(promptCase.parse({ id: 'a', input: 'x', expected: 'y' })).toEqual({ id: 'a', input: 'x', hint: 'y' });
    expect(promptCase.parse({ id: 'a', input: 'x', expected: 'y', hint: 'z' })).toMatchObject({ hint: 'z' });
    const graded = { pass: true, score: 1 };
    expect(validationResult.parse({ id: 'a', reference: 'r', pass: true, graderResult: graded })).toMatchObject({
      passes: true,
    });
    expect(trialResult.parse({ id: 'a', input: 'x', k: 1, trials: [], expected: 'y' })).toMatchObject({ hint: 'y' });
  });

  it('takes null for what is not there', () => {
    expect(promptCase.parse({ id: 'a', input: 'x', hint: null, timeout: null })).toEqual({ id: 'a', input: 'x' });
  });

  it.each([
    [{ input: 'x' }, 'p.jsonl line 2: id: is missing'],
    [{ id: 'a', input: 5 }, 'p.jsonl line 2: input: expected a string'],
    [{ id: 'a', input: [] }, 'p.jsonl line 2: input: '],
    [{ id: 'a', input: 'x', timeout: -1 }, 'timeout: expected a number above 0'],
    [{ id: 'a', input: 'x', timeot: 3 }, 'timeot: is not a setting; did you mean "timeout"?'],
    [['a'], 'expected an object'],
  ])('names line and field of %j', async (wrong, message) => {
    const reading = readAllLines(lines({ id: 'a', input: 'x' }, wrong), promptCase, { name: 'p.jsonl' });
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toMatchObject({ code: 'line_invalid', line: 2 });
  });

  it('names the step of a trajectory that is wrong', () => {
    const step = { type: 'tool_call', name: 'Read', timestamp: 2 };
    expect(() => captureResult.parse({ ...capture, trajectory: [capture.trajectory[0], step] }, { line: 7 })).toThrow(
      'line 7: trajectory[1].status: is missing',
    );
    const odd = { type: 'tool', timestamp: 2 };
    expect(() => captureResult.parse({ ...capture, trajectory: [odd] })).toThrow('trajectory[0].type: expected one of');
  });

  it.each([
    [{ pass: true, score: 1.5 }],
    [{ pass: 'yes', score: 1 }],
    [{ pass: true }],
    [{ pass: true, score: Number.NaN }],
  ])('refuses the result %j of a grader', (result) => {
    expect(() => graderResult.parse(result)).toThrow(/pass|score/);
  });

  it('of every kind is a JSON schema with a name of its own', () => {
    expect(new Set(FORMATS.map(({ name }) => name)).size).toBe(FORMATS.length);
    for (const format of FORMATS) {
      expect(format.schema()).toMatchObject({ $schema: expect.stringContaining('2020-12'), title: format.name });
    }
    expect(captureResult.schema()).toMatchObject({
      type: 'object',
      required: expect.arrayContaining(['id', 'input', 'output', 'trajectory', 'metadata', 'timing', 'toolErrors']),
      properties: { score: { properties: { score: { minimum: 0, maximum: 1 } } } },
    });
  });
});

describe('lines', () => {
  it('are read however they are cut, with empty lines, other line ends and no end at the last', async () => {
    const text = `\n{"id":"ä","input":"x"}\r\n\n  \n{"id":"b","input":"y"}`;
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    const found = [];
    for await (const line of readJsonLines(Readable.from(bytes), promptCase)) found.push(line);
    expect(found).toEqual([
      { value: { id: 'ä', input: 'x' }, line: 2 },
      { value: { id: 'b', input: 'y' }, line: 5 },
    ]);
  });

  it('come from stdin as -', async () => {
    expect(await readAllLines('-', promptCase, { stdin: lines({ id: 'a', input: 'x' }) })).toHaveLength(1);
    const wrong = readAllLines('-', promptCase, { stdin: Readable.from(['{"id":']) });
    await expect(wrong).rejects.toThrow('stdin line 1: is not JSON: {"id":');
  });

  it('of a file that is not there say so', async () => {
    await expect(readAllLines(join(folder, 'none.jsonl'), promptCase)).rejects.toMatchObject({
      code: 'file_unusable',
      message: expect.stringContaining('there is no such file'),
    });
  });

  it('are read no faster than they are taken, so that memory does not grow with the file', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        given += 1;
        yield `${JSON.stringify({ id: String(given), input: 'x'.repeat(1000) })}\n`;
      }
    }
    let taken = 0;
    for await (const _ of readJsonLines(endless(), promptCase)) {
      taken += 1;
      expect(given - taken).toBeLessThanOrEqual(1);
      if (taken === 1000) break;
    }
  });

  it('have a longest length', async () => {
    const reading = readAllLines(Readable.from(['x'.repeat(100), 'y'.repeat(100)]), promptCase, {
      maxLineCharacters: 150,
    });
    await expect(reading).rejects.toThrow('line 1: is longer than 150');
  });
});

describe('a file of lines', () => {
  it('is not overwritten unless that is said', async () => {
    const path = join(folder, 'deep', 'new.jsonl');
    for (const id of ['a', 'b', 'c']) {
      await using writer = await openLineWriter(path, { mode: id === 'a' ? 'new' : 'append' });
      await writer.write({ id, input: 'x' });
    }
    await expect(openLineWriter(path)).rejects.toThrow('exists');
    expect((await readAllLines(path, promptCase)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    await (await openLineWriter(path, { mode: 'replace' })).close();
    expect(await readFile(path, 'utf8')).toBe('');
  });

  it.each([
    ['{"id":"a","input":"x"}\n{"id":"b","inp', ['a', 'z'], 'torn'],
    ['{"id":"a","input":"x"}\n{"id":"b","input":"x"}', ['a', 'b', 'z'], 'no end'],
    ['{"id":"b","inp', ['z'], 'torn'],
    [`{"id":"a","input":"x"}\n{"id":"${'b'.repeat(200_000)}`, ['a', 'z'], 'torn'],
  ])('whose last line was torn by a crash is repaired before lines are added', async (text, ids, told) => {
    const path = join(folder, 'torn.jsonl');
    await writeFile(path, text);
    const repairs: string[] = [];
    await using writer = await openLineWriter(path, { mode: 'append', onRepair: (each) => repairs.push(each) });
    await writer.write({ id: 'z', input: 'x' });
    expect((await readAllLines(path, promptCase)).map(({ id }) => id)).toEqual(ids);
    expect(repairs.join()).toContain(told);
  });
});
