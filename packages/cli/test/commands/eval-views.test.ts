import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

/** A line of `capture` as it is written. */
function result(id: string, pass: boolean, total = 1000): object {
  return {
    id,
    input: `Do ${id}.`,
    output: `Did ${id}.`,
    trajectory: [{ type: 'message', content: `Did ${id}.`, timestamp: 10 }],
    metadata: { trajectoryRichness: 'full' },
    timing: { start: 0, end: total, sessionCreation: 1, total },
    toolErrors: false,
    score: { pass, score: pass ? 1 : 0 },
  };
}

function write(name: string, values: readonly object[]): string {
  writeFileSync(join(parley.folder, name), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  return name;
}

const ids = Array.from({ length: 20 }, (_, index) => `task-${index + 1}`);

beforeAll(() => {
  write(
    'good.jsonl',
    ids.map((id) => result(id, true)),
  );
  write(
    'worse.jsonl',
    ids.map((id, index) => result(id, index < 10)),
  );
  write('cases.jsonl', [
    { id: 'a', input: 'a?', reference: 'right', metadata: { category: 'x' } },
    { id: 'b', input: 'b?', reference: 'wrong', metadata: { category: 'y' } },
  ]);
  writeFileSync(
    join(parley.folder, 'grade.mjs'),
    "export const grade = ({ output }) => ({ pass: output === 'right', score: 1, reasoning: 'because' });\n",
  );
  writeFileSync(
    join(parley.folder, 'rank.mjs'),
    'export const compare = ({ runs }) => ({ rankings: Object.keys(runs).map((run, i) => ({ run, rank: i + 1, score: 1 })) });\n',
  );
});

describe('parley eval compare', () => {
  it('writes JSON for scripts, and Markdown and a page for people', async () => {
    const { stdout, code } = await parley.run(['eval', 'compare', 'good.jsonl', 'next=worse.jsonl']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      meta: { runs: ['good', 'next'], strategy: 'weighted', promptCount: 20 },
      comparisons: [{ metric: 'passRate', better: 'good' }, { metric: 'durationMs' }],
    });
    const byFlags = await parley.run(['eval', 'compare', '--run', 'good:good.jsonl', '--run', 'next:worse.jsonl']);
    expect(JSON.parse(byFlags.stdout).meta.runs).toEqual(['good', 'next']);
    expect((await parley.run(['eval', 'compare', 'good.jsonl', '--run', 'worse.jsonl'])).code).toBe(2);
    const markdown = await parley.run(['eval', 'compare', 'good.jsonl', 'worse.jsonl', '--format', 'markdown']);
    expect(markdown.stdout).toContain('- pass rate: good is better than worse by 50.0 points');
    const page = await parley.run(['eval', 'compare', 'good.jsonl', 'worse.jsonl', '--format', 'html', '-o', 'c.html']);
    expect(page).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(parley.folder, 'c.html'), 'utf8')).toContain('worse against good');
  });

  it('reads a run from stdin, and has a grader rank them', async () => {
    const input = readFileSync(join(parley.folder, 'worse.jsonl'), 'utf8');
    const piped = await parley.run(['eval', 'compare', 'good.jsonl', '-'], { input });
    expect(JSON.parse(piped.stdout).meta.runs).toEqual(['good', 'stdin']);
    const ranked = await parley.run(['eval', 'compare', 'good.jsonl', 'worse.jsonl', '-s', 'custom', '-g', 'rank.mjs']);
    expect(JSON.parse(ranked.stdout).headToHead.pairwise).toMatchObject([{ aWins: 20, bWins: 0, ties: 0 }]);
  });

  it('ends with 1 on a regression or too few passes, in words, and with 2 on a wrong command line', async () => {
    const regression = await parley.run(['eval', 'compare', 'good.jsonl', 'worse.jsonl', '--fail-on-regression']);
    expect(regression.code).toBe(1);
    expect(regression.stderr).toContain(
      'worse is worse than good, by more than luck; it fails 10 that good passed: task-11',
    );
    const reverse = await parley.run(['eval', 'compare', 'worse.jsonl', 'good.jsonl', '--fail-on-regression=any']);
    expect(reverse.code).toBe(0);
    const under = await parley.run(['eval', 'compare', 'good.jsonl', 'worse.jsonl', '--fail-under', '0.8']);
    expect(under).toMatchObject({ code: 1, stderr: 'worse: 50.0 % pass, under 80.0 %\n' });
    for (const [args, said] of [
      [['good.jsonl'], 'needs two files or more'],
      [['good.jsonl', 'nothing.jsonl'], 'Cannot read'],
      [['good.jsonl', 'cases.jsonl'], 'cases.jsonl line 1'],
      [['good.jsonl', 'worse.jsonl', '-s', 'lucky'], '--strategy'],
      [['good.jsonl', 'worse.jsonl', '-s', 'custom'], 'belong together'],
      [['good.jsonl', 'worse.jsonl', '--baseline', 'x'], 'there are: good, worse'],
      [['good.jsonl', 'worse.jsonl', '--level', '2'], '--level is a number from 0 to 1'],
      [['good.jsonl', 'worse.jsonl', '-o', 'good.jsonl'], 'is what is read'],
    ] as const) {
      const { code, stderr } = await parley.run(['eval', 'compare', ...args]);
      expect(stderr).toContain(said);
      expect(code).toBe(2);
    }
    expect(readFileSync(join(parley.folder, 'good.jsonl'), 'utf8').split('\n')).toHaveLength(21);
  });
});

describe('parley eval report', () => {
  it('writes a page, or a folder of pages', async () => {
    const one = await parley.run(['eval', 'report', 'good.jsonl', 'worse.jsonl', '--title', 'Mine', '-o', 'r.html']);
    expect(one).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(parley.folder, 'r.html'), 'utf8')).toContain('<title>Mine</title>');
    const many = await parley.run(['eval', 'report', 'good.jsonl', '--split', '-o', 'pages']);
    expect(many.stderr).toContain('20 cases');
    expect(readdirSync(join(parley.folder, 'pages', 'cases'))).toHaveLength(20);
    expect((await parley.run(['eval', 'report', 'worse.jsonl', '--fail-under=0.9', '-o', 'r.html'])).code).toBe(1);
    expect((await parley.run(['eval', 'report', 'good.jsonl', '--split'])).stderr).toContain('--split needs a folder');
  });
});

describe('views of parley eval', () => {
  it('summarize and format results from a file or a pipe', async () => {
    const input = readFileSync(join(parley.folder, 'worse.jsonl'), 'utf8');
    const { stdout } = await parley.run(['eval', 'summarize'], { input });
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ id: 'task-1', toolCalls: [], duration: 1000 });
    expect((await parley.run(['eval', 'summarize', '-m', 'good.jsonl'])).stdout).toContain(
      '## Evaluation Record: task-1',
    );
    expect((await parley.run(['eval', 'format', 'good.jsonl', '--style', 'csv'])).stdout).toContain(
      '\r\ntask-1,Do task-1.,',
    );
    const wrong = await parley.run(['eval', 'format', 'good.jsonl', '--style', 'xml']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
  });

  it('stop without a word when the reader of a long output has gone', async () => {
    write(
      'long.jsonl',
      Array.from({ length: 20_000 }, (_, index) => result(`task-${index}`, true)),
    );
    const { process: child, finished } = parley.start(['eval', 'summarize', 'long.jsonl'], { input: '' });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await finished).toMatchObject({ code: 0, stderr: '' });
  });

  it('calibrate draws failures, and scores them again', async () => {
    const { stdout, stderr } = await parley.run([
      'eval',
      'calibrate',
      'worse.jsonl',
      '-s',
      '3',
      '-g',
      'grade.mjs',
      '--jsonl',
    ]);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stderr).toContain('the graders disagree on 0 of 3');
    expect((await parley.run(['eval', 'calibrate', 'worse.jsonl', '-s', 'few'])).stderr).toContain(
      '--sample is a whole number',
    );
  });

  it('validate-refs ends with 1 when a reference does not pass', async () => {
    const { code, stdout, stderr } = await parley.run(['eval', 'validate-refs', 'cases.jsonl', '-g', 'grade.mjs']);
    expect(code).toBe(1);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).passes),
    ).toEqual([true, false]);
    expect(stderr).toBe('b does not pass: because\nreferences: 1 of 2 pass\n');
    expect((await parley.run(['eval', 'validate-refs', 'cases.jsonl', '-g', 'none.mjs'])).code).toBe(2);
  });

  it('balance and schemas tell of cases and formats', async () => {
    for (const flags of [[], ['--by', 'category'], ['-k', 'category'], ['--key', 'category']]) {
      const { stdout } = await parley.run(['eval', 'balance', 'cases.jsonl', ...flags]);
      expect(JSON.parse(stdout)).toMatchObject({ totalCases: 2 });
    }
    const { stdout, code } = await parley.run(['eval', 'schemas', '--split', '-o', 'schemas']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    expect(existsSync(join(parley.folder, 'schemas', 'CaptureResult.json'))).toBe(true);
    const unknown = await parley.run(['eval', 'schemas', 'CaptureResul']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('Did you mean "CaptureResult"?');
    expect((await parley.run(['eval', 'schemas', '--list'])).stdout).toContain('TrialResult');
  });

  it('have help of no more than 80 columns', async () => {
    for (const name of [
      'compare',
      'report',
      'summarize',
      'format',
      'calibrate',
      'validate-refs',
      'balance',
      'schemas',
    ]) {
      const { stdout, code } = await parley.run(['eval', name, '--help']);
      expect(code).toBe(0);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });
});
