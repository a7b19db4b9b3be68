import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();
const inFolder = (name: string): string => join(parley.folder, name);

/** A command line that tells two tool calls in one line, some words besides, and its answer. */
const PROGRAM = `
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const prompt = process.argv.at(-1);
console.error('a warning that is no error');
console.log('no JSON at all');
say({ type: 'assistant', content: [{ type: 'text', text: 'one ' }, { type: 'tool_use', id: 't1', name: 'Read' }, { type: 'tool_use', id: 't2', name: 'Read' }] });
await new Promise((resolve) => setTimeout(resolve, 50));
say({ type: 'tool_result', id: 't2', failed: true });
say({ type: 'result', text: prompt });
if (prompt === 'fail') process.exit(4);
`;
const DESCRIPTION = {
  version: 1,
  name: 'sample',
  sessionMode: 'iterative',
  prompt: { flag: '' },
  output: { flag: '', value: '' },
  outputEvents: [
    { match: { path: '$.content[*].type', value: 'text' }, emitAs: 'message', extract: { content: '$.text' } },
    {
      match: { path: '$.content[*].type', value: 'tool_use' },
      emitAs: 'tool_call',
      extract: { id: '$.id', name: '$.name' },
    },
    {
      match: { path: '$.type', value: 'tool_result' },
      emitAs: 'tool_result',
      extract: { id: '$.id', status: "'failed'" },
    },
  ],
  result: { matchPath: '$.type', matchValue: 'result', contentPath: '$.text' },
};
const cases = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

beforeAll(() => {
  writeFileSync(inFolder('sample.mjs'), PROGRAM);
  writeFileSync(
    inFolder('sample.json'),
    JSON.stringify({ ...DESCRIPTION, command: [process.execPath, inFolder('sample.mjs')] }),
  );
  writeFileSync(
    inFolder('grade.py'),
    'import json, sys\np = json.load(sys.stdin)\nprint(json.dumps({"pass": p["hint"] in p["output"], "score": 1}))',
  );
});

describe('parley eval run | extract | grade | format', () => {
  it('keeps every line with its time, and loses nothing that lines say', async () => {
    const input = cases(
      { id: 'a', input: 'hello $& {}', hint: 'hello', metadata: { c: 1 } },
      { id: 'b', input: 'fail' },
    );
    const raw = await parley.run(['eval', 'run', '-s', 'sample.json'], { input });
    expect(raw.code).toBe(0);
    const [first, second] = readLines(raw.stdout) as { rawLines: string[]; lineTimes: number[] }[];
    expect(first).toMatchObject({
      id: 'a',
      hint: 'hello',
      exitCode: 0,
      stderr: 'a warning that is no error\n',
      metadata: { c: 1 },
    });
    expect(first?.rawLines).toHaveLength(4);
    expect(first?.rawLines[0]).toBe('no JSON at all');
    expect(first?.lineTimes).toHaveLength(4);
    expect(second).toMatchObject({ id: 'b', error: 'The command exited with code 4.', exitCode: 4 });

    const extracted = await parley.run(['eval', 'extract', '-s', 'sample.json'], { input: raw.stdout });
    expect(readLines(extracted.stdout)).toMatchObject([
      {
        id: 'a',
        rawLines: first?.rawLines,
        output: expect.stringContaining('hello $& {}'),
        toolErrors: true,
        // Two calls of one tool are two calls, of which the second has failed.
        trajectory: [
          { type: 'message', content: 'one ' },
          { type: 'tool_call', name: 'Read', status: 'completed', timestamp: first?.lineTimes[1] },
          { type: 'tool_call', name: 'Read', status: 'failed', timestamp: first?.lineTimes[1] },
          { type: 'message', content: 'hello $& {}', timestamp: first?.lineTimes[3] },
        ],
      },
      { id: 'b', toolErrors: true, error: 'The command exited with code 4.' },
    ]);
    const calls = extracted.stdout.match(/"type":"tool_call"/g);
    expect(calls).toHaveLength(4);

    const graded = await parley.run(['eval', 'grade', '-g', 'grade.py', '-o', 'graded.jsonl'], {
      input: extracted.stdout,
    });
    expect(graded.code).toBe(0);
    expect(readLines(readFileSync(inFolder('graded.jsonl'), 'utf8'))).toMatchObject([
      { id: 'a', score: { pass: true }, rawLines: first?.rawLines },
      { id: 'b', score: { pass: false, reasoning: 'Error: The command exited with code 4.' } },
    ]);
    const csv = await parley.run(['eval', 'format', 'graded.jsonl', '-f', 'csv']);
    expect(csv.stdout).toMatch(/^id,input,output,hint,pass,.*\r\na,hello \$& \{\},/);
    const markdown = await parley.run(['eval', 'format', 'graded.jsonl', '--style', 'markdown']);
    expect(markdown.stdout).toContain('## Evaluation Record: a');
    const lines = await parley.run(['eval', 'format', 'graded.jsonl']);
    expect(lines.stdout).toBe(readFileSync(inFolder('graded.jsonl'), 'utf8'));
    const unknown = await parley.run(['eval', 'format', 'graded.jsonl', '-f', 'pdf']);
    expect(unknown.code).toBe(2);
  });

  it('runs any command where it is told to, with the prompt as it is', async () => {
    const input = cases({ id: 'a', input: `it's "$HOME" $& {}` });
    const show = `${process.execPath} -e 'console.log(process.cwd(), process.argv.at(-1))' {}`;
    const simple = await parley.run(['eval', 'run', '--simple', show, '--cwd', parley.home], { input });
    expect(readLines(simple.stdout)).toMatchObject([
      { rawLines: [`${parley.home} it's "$HOME" $& {}`], cwd: parley.home },
    ]);
    const line = 'echo "$PWD $PROMPT"; echo "error: none" >&2';
    const shell = await parley.run(['eval', 'run', '--shell', line, '--cwd', parley.home], { input });
    expect(readLines(shell.stdout)).toMatchObject([
      { rawLines: [`${parley.home} it's "$HOME" $& {}`], stderr: 'error: none\n', exitCode: 0 },
    ]);
    // What is said on stderr is no error of a tool.
    const plain = await parley.run(['eval', 'extract'], { input: shell.stdout });
    expect(readLines(plain.stdout)).toMatchObject([{ output: `${parley.home} it's "$HOME" $& {}`, toolErrors: false }]);
  });

  it('ends a command that takes too long, and says what is wrong with cases and flags', async () => {
    const slow = await parley.run(['eval', 'run', '--shell', 'echo begun; sleep 60'], {
      input: cases({ id: 'a', input: 'x', timeout: 1000 }),
    });
    expect(readLines(slow.stdout)).toMatchObject([
      { rawLines: ['begun'], timedOut: true, error: 'Timed out after 1000 ms.' },
    ]);
    const wrong = await parley.run(['eval', 'run', '--shell', 'true'], { input: '{"id":1,"input":"x"}\n' });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('stdin line 1: id: expected a string') });
    const none = await parley.run(['eval', 'run', '--shell', 'true', '--simple', 'true'], { input: '' });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('One of --schema, --simple and --shell') });
  });
});
