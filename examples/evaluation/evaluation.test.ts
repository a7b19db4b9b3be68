import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadGrader } from '@parley/harness';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'parley-evaluation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe('the examples of evaluations', () => {
  it('put cases to an agent, in a few lines', () => {
    // The agent is started in a folder of its own, where no loader is found by its name.
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const loader = ['--import', tsx, '--conditions=source'];
    const agent = [process.execPath, ...loader, here('../echo-agent.ts')];
    const said = execFileSync(process.execPath, [...loader, here('run.ts'), ...agent], {
      encoding: 'utf8',
    });
    expect(said).toMatch(/greeting: passed in \d+ ms\nmemory: failed in \d+ ms\nnote: passed in \d+ ms\n2 of 3 passed/);
  });

  it('judge what git sees, whatever files are called', async () => {
    const cwd = join(folder, 'repository');
    mkdirSync(cwd);
    execFileSync('git', ['init', '-q'], { cwd });
    await using grader = await loadGrader(here('graders/git-changes.mjs'));
    const params = { input: 'x', output: '', hint: '$(touch hacked) b.txt', cwd };
    expect(await grader.grade(params)).toMatchObject({ pass: false, reasoning: 'Nothing was changed.' });
    writeFileSync(join(cwd, '$(touch hacked) b.txt'), '');
    expect(await grader.grade(params)).toMatchObject({ pass: true, outcome: { files: ['$(touch hacked) b.txt'] } });
  });

  it('have a model as judge, through the command', async () => {
    const judge = join(folder, 'judge');
    const verdict = '{"pass": true, "score": 0.9, "reasoning": "good"}';
    writeFileSync(judge, `#!/bin/sh\ncat | grep -q "<answer>" && echo 'Here: ${verdict}'\n`, { mode: 0o755 });
    process.env.JUDGE_COMMAND = judge;
    await using grader = await loadGrader(here('graders/judge.mjs'));
    expect(await grader.grade({ input: 'x', output: 'y' })).toEqual(JSON.parse(verdict));
  });

  it('write results for other tools', () => {
    const input = `${JSON.stringify({ id: 'a', input: ['x', 'y'], output: 'z', hint: 'h', score: { pass: true, score: 1 } })}\n`;
    const convert = (kind: string): unknown =>
      JSON.parse(execFileSync(process.execPath, [here('export.mjs'), kind], { input, encoding: 'utf8' }));
    expect(convert('promptfoo')).toMatchObject({
      vars: { input: 'x\ny', output: 'z' },
      assert: [{ type: 'icontains', value: 'h' }],
    });
    expect(convert('inspect')).toMatchObject({
      input: [{ role: 'user', content: 'x' }, {}],
      target: 'h',
      metadata: { output: 'z' },
    });
  });
});
