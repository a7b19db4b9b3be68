import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();
const agent = (): readonly string[] => parley.agentWords({ on: { 'session/prompt': sayAndEnd('It is Paris.') } });

function cases(...values: readonly object[]): string {
  writeFileSync(join(parley.folder, 'cases.jsonl'), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  return 'cases.jsonl';
}

describe('the built-in graders', () => {
  it('judge by a text on the command line, or by the hint of each case', async () => {
    const file = cases({ id: 'right', input: 'x', hint: 'Paris' }, { id: 'wrong', input: 'x', hint: 'Rome' });
    const passes = async (grader: string): Promise<unknown[]> => {
      const { stdout } = await parley.run(['eval', 'capture', file, '--in-order', '-g', grader, '--', ...agent()]);
      return readLines(stdout).map(({ score }) => (score as { readonly pass: boolean }).pass);
    };
    expect(await passes('contains')).toEqual([true, false]);
    expect(await passes('contains:paris')).toEqual([true, true]);
  });

  it('refuse a word that is neither a grader nor a file, before anything runs', async () => {
    const file = cases({ id: 'a', input: 'x' });
    const { code, stderr, stdout } = await parley.run(['eval', 'capture', file, '-g', 'regexp:x', '--', ...agent()]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('the built-in graders are contains, equals, regex, json, command, judge.');
    expect(stderr).toContain('Did you mean "regex"?');
  });

  it('ask a model as judge, by this program and with its key', async () => {
    const model = await startFakeModelServer({ apiKey: 'key-of-the-judge' });
    onTestFinished(() => model.close());
    model.add('{"pass": true, "score": 0.8, "reasoning": "It names the city."}');
    const file = cases({ id: 'a', input: 'Which city?', hint: 'Paris' });
    const { stdout, stderr } = await parley.run(['eval', 'capture', file, '-g', 'judge', '--', ...agent()], {
      env: { ANTHROPIC_API_KEY: 'key-of-the-judge', ANTHROPIC_BASE_URL: model.url },
    });
    expect(stderr).toContain('1 passed');
    expect(readLines(stdout)).toMatchObject([{ score: { pass: true, score: 0.8, reasoning: 'It names the city.' } }]);
    expect(JSON.stringify(model.requests)).toContain('It is Paris.');
  });
});
