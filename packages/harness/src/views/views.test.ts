import { describe, expect, it } from 'vitest';
import { capture, lines, trials } from '../../test/support/results.ts';
import { sampleTrials } from '../../test/support/sample-runs.ts';
import { readResults } from '../compare/index.ts';
import {
  balanceAnalysis,
  calibrationSample,
  captureResult,
  FORMATS,
  summaryResult,
  validationResult,
} from '../formats/index.ts';
import { graderOf } from '../graders/index.ts';
import {
  analyseBalance,
  attemptsOf,
  calibrate,
  combineSchemas,
  findSchema,
  formatBalance,
  formatCalibration,
  formatResults,
  formatSummary,
  listSchemas,
  summarize,
  type ValidatedReference,
  validateReferences,
} from './index.ts';

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
}

describe('a summary', () => {
  it('names the tools in the order of their calls, and joins turns', () => {
    const summary = summarize(
      attemptsOf({ kind: 'captures', value: capture('x', { input: ['one', 'two'] }) })[0] as never,
    );
    expect(summaryResult.parse(summary)).toEqual({
      id: 'x',
      input: 'one\ntwo',
      output: 'Did x.',
      toolCalls: ['read_file'],
      duration: 1000,
    });
  });

  it('of trials has one for each attempt', () => {
    const attempts = attemptsOf({ kind: 'trials', value: trials('x', [true, false]) });
    expect(attempts.map(({ id, score }) => [id, score?.pass])).toEqual([
      ['x#1', true],
      ['x#2', false],
    ]);
  });

  it('in Markdown numbers the steps, names them, and shows long texts by their ends', () => {
    const code = Array.from({ length: 40 }, (_, index) => `line ${index + 1} of the file \`\`\``).join('\n');
    const value = capture('fix/it', {
      pass: false,
      trajectory: [
        { type: 'thought', content: `I think.\n${'x'.repeat(200)}`, timestamp: 1 },
        { type: 'plan', entries: [{ content: 'read' }, { content: 'write' }], timestamp: 2 },
        {
          type: 'tool_call',
          name: 'write_file',
          status: 'failed',
          input: { path: 'a.ts', content: code },
          duration: 12.4,
          timestamp: 3,
        },
        { type: 'message', content: 'Done.', timestamp: 4 },
      ],
      output: 'y'.repeat(300),
    });
    const text = formatSummary(attemptsOf({ kind: 'captures', value })[0] as never);
    expect(text).toContain('## Evaluation Record: fix/it\n\n**Input:** Do fix/it.');
    expect(text).toContain(`1. [THOUGHT] I think. ${'x'.repeat(91)}... [→fix/it-step-1]`);
    expect(text).toContain('2. [PLAN] read; write [→fix/it-step-2]');
    expect(text).toContain(
      '3. [TOOL:write_file] -> failed (12ms) [→fix/it-step-3]\n   File: a.ts\n   ````\n   line 1 of',
    );
    expect(text).toContain('// ... 28 lines omitted ...');
    expect(text).toContain(`**Output:** ${'y'.repeat(200)}...\n`);
    expect(text).toContain('**Score:** FAIL (0) - not so');
  });
});

describe('calibration', () => {
  const failures = Array.from({ length: 50 }, (_, index) => capture(`f${index}`, { pass: false }));
  const passes = Array.from({ length: 50 }, (_, index) => capture(`p${index}`, { pass: true }));

  it('draws failures alone, the same for the same seed, each as likely as the other', async () => {
    const draw = async (seed: number): Promise<readonly string[]> =>
      (await calibrate(lines([...passes, ...failures]), { sample: 5, seed })).samples.map(({ id }) => id);
    expect(await draw(7)).toEqual(await draw(7));
    expect(await draw(7)).not.toEqual(await draw(8));
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 300; seed++) for (const id of await draw(seed)) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect([...counts.keys()].every((id) => id.startsWith('f'))).toBe(true);
    // 1500 draws over 50 failures: 30 each, with a standard deviation of 5.2.
    expect(counts.size).toBe(50);
    expect(Math.max(...counts.values())).toBeLessThan(55);
  });

  it('scores again, says where the graders disagree, and loses nothing when the second one fails', async () => {
    let calls = 0;
    const grader = graderOf(async () => {
      if (calls++ === 1) throw new Error('no idea');
      return { pass: true, score: 0.9 };
    });
    const found = await calibrate(lines(failures.slice(0, 2)), { grader });
    expect(found.samples.map((sample) => calibrationSample.parse(sample).rescoredResult?.pass)).toEqual([
      true,
      undefined,
    ]);
    const text = formatCalibration(found);
    expect(text).toContain('**Scored again:** PASS (0.9) (the two disagree)');
    expect(text).toContain('the grader failed: The grader failed: no idea');
    expect(text.match(/- \[ \] (Valid failure|Grader bug|Ambiguous)/g)).toHaveLength(6);
  });

  it('shows the first two, the middle and the last two steps', async () => {
    const steps = Array.from({ length: 9 }, (_, index) => ({
      type: 'message' as const,
      content: `${index}`,
      timestamp: index,
    }));
    const { samples } = await calibrate(lines([capture('x', { pass: false, trajectory: steps })]));
    expect(samples[0]?.trajectorySnippet.map((step) => step.timestamp)).toEqual([0, 1, 4, 7, 8]);
  });
});

describe('references', () => {
  it('are judged as answers, and one that does not pass is told', async () => {
    const skipped: string[] = [];
    const grader = graderOf(({ output, trajectory }) => {
      if (output === 'odd') throw new Error('no idea');
      return { pass: output === 'right' && trajectory?.length === 0, score: 1 };
    });
    const cases = [
      { id: 'a', input: 'a?', reference: 'right' },
      { id: 'b', input: 'b?', reference: 'wrong' },
      { id: 'c', input: 'c?' },
      { id: 'd', input: 'd?', reference: 'odd' },
    ];
    const found: ValidatedReference[] = await all(
      validateReferences(cases, { grader, onSkip: (id) => skipped.push(id) }),
    );
    expect(found.map((each) => [validationResult.parse(each).id, each.passes])).toEqual([
      ['a', true],
      ['b', false],
      ['d', false],
    ]);
    expect(found[2]?.graderError).toContain('no idea');
    expect(skipped).toEqual(['c']);
  });
});

describe('balance', () => {
  async function balanceOf(names: readonly (string | undefined)[], options = {}) {
    const cases = async function* () {
      for (const name of names) yield name === undefined ? {} : { metadata: { category: name, deep: { er: name } } };
    };
    return balanceAnalysis.parse(await analyseBalance(cases(), options));
  }

  it('counts categories, rounds shares, and names those that have too few', async () => {
    const found = await balanceOf([...Array(20).fill('a'), ...Array(8).fill('b'), 'c', undefined]);
    expect(found).toMatchObject({
      totalCases: 30,
      categories: [
        { name: 'a', count: 20, percentage: 67 },
        { name: 'b', count: 8, percentage: 27 },
        { name: '(uncategorized)', count: 1, percentage: 3 },
        { name: 'c', count: 1, percentage: 3 },
      ],
      underrepresented: ['(uncategorized)', 'c'],
    });
    expect(found.suggestions[0]).toContain('"a" has 67 %');
    expect(formatBalance(found)).toContain('| c (few) | 1 | 3 % |');
  });

  it('says when all is well, and reads fields that lie deeper', async () => {
    const even = await balanceOf([...Array(10).fill('a'), ...Array(10).fill('b')], { by: 'deep.er' });
    expect(even.suggestions).toEqual(['Test set appears well-balanced']);
    expect((await balanceOf(['a', 'b'])).suggestions.at(-1)).toContain('2 cases in all are few');
    expect((await balanceOf([])).suggestions).toEqual(['There are no cases.']);
  });
});

describe('schemas', () => {
  it('are there for every format, alone and together', () => {
    expect(listSchemas()).toHaveLength(FORMATS.length + 5);
    for (const name of [
      'PromptCase',
      'CaptureResult',
      'TrialResult',
      'GraderResult',
      'CalibrationSample',
      'BalanceAnalysis',
      'ValidationResult',
      'SummaryResult',
      'TrajectoryStep',
      'TrialEntry',
      'McpServerConfig',
      'Session',
      'JsonRpcRequest',
      'JsonRpcResponse',
      'JsonRpcError',
    ]) {
      expect(findSchema(name.toLowerCase()).schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: name,
      });
    }
    expect(Object.keys(combineSchemas().$defs as object)).toHaveLength(listSchemas().length);
  });

  it('of an unknown name are refused with what may have been meant', () => {
    expect(() => findSchema('CaptureResults')).toThrow(
      'There is no format "CaptureResults". Did you mean "CaptureResult"?',
    );
  });
});

describe('formats of results', () => {
  it('are JSON lines that are read again as they were', async () => {
    const results = [capture('x', { pass: true }), capture('y')];
    const text = await all(formatResults(readResults(lines(results)), 'jsonl'));
    expect(text.map((line) => captureResult.parse(JSON.parse(line)))).toEqual(results);
  });

  it('are CSV that quotes what it must and starts no formula', async () => {
    const result = capture('=1+1', { output: 'a "quoted", text\nof two lines', pass: false });
    const text = (await all(formatResults(readResults(lines([result])), 'csv'))).join('');
    expect(text).toBe(
      [
        'id,input,output,hint,pass,score,reasoning,duration_ms,steps,tool_calls,tool_errors,errors',
        `'=1+1,Do =1+1.,"a ""quoted"", text\nof two lines",,false,0,not so,1000,3,1,false,`,
        '',
      ].join('\r\n'),
    );
  });

  it('are Markdown for each attempt', async () => {
    const source = lines([...sampleTrials({ tasks: 2, skill: 0.5, speedMs: 100, seed: 1, k: 2 })]);
    const records = await all(formatResults(readResults(source), 'markdown'));
    expect(records.map((record) => record.split('\n')[0])).toEqual([
      '## Evaluation Record: fix-retry-loop#1',
      '## Evaluation Record: fix-retry-loop#2',
      '## Evaluation Record: rename-retry-loop#1',
      '## Evaluation Record: rename-retry-loop#2',
    ]);
  });
});
