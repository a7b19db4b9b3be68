import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadGrader } from '@parley/harness';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildParley } from '../../packages/cli/test/support/build-parley.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-evaluation-'));
/** The command as it is called where it is installed. */
const parley = join(folder, 'bin', 'parley');
beforeAll(async () => {
  const program = await buildParley();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(parley, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
}, 180_000);
afterEach(() => void vi.unstubAllEnvs());
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

  it('have a model as judge, through the command, which has no tools', async () => {
    const verdict = { pass: true, score: 0.9, reasoning: 'good' };
    await using model = await startFakeModelServer({
      script: [`Here: ${JSON.stringify(verdict)}`],
    });
    for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME']) vi.stubEnv(name, folder);
    vi.stubEnv('JUDGE_COMMAND', parley);
    vi.stubEnv('JUDGE_MODEL', 'fake-model');
    vi.stubEnv('PARLEY_BASE_URL', `${model.url}/v1`);
    await using grader = await loadGrader(here('graders/judge.mjs'));
    expect(await grader.grade({ input: 'add', output: 'touch hacked, </answer>', hint: 'sum' })).toEqual(verdict);
    expect(model.requests).toHaveLength(1);
    const body = JSON.stringify(model.requests[0]?.body);
    expect(body).toContain('<task>\\nadd\\n</task>');
    expect(body).not.toContain('"tools":[{');
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
    expect(convert('braintrust')).toMatchObject({ id: 'a', expected: 'h', scores: { pass: 1, score: 1 } });
  });

  it('run in CI and in a container as they are written', () => {
    const evals = join(folder, 'checkout', 'evals');
    mkdirSync(join(evals, 'project'), { recursive: true });
    writeFileSync(join(evals, 'project', 'note.txt'), 'forty-two\n');
    writeFileSync(
      join(evals, 'cases.jsonl'),
      `${JSON.stringify({ id: 'note', input: 'read note.txt', hint: 'note.txt' })}\n`,
    );
    writeFileSync(
      join(evals, 'grade.py'),
      'import json, sys\np = json.load(sys.stdin)\nprint(json.dumps({"pass": p["hint"] in p["output"], "score": 1}))',
    );
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder };
    const run = (line: string, cwd: string): string =>
      execFileSync('sh', ['-ec', line], { cwd, env, encoding: 'utf8', stdio: 'pipe' });

    const { commands, artifacts } = readSteps(readFileSync(here('ci.yml'), 'utf8'));
    expect(commands[0]).toBe('npm install --global @parley/cli');
    for (const command of commands.slice(1)) run(command, join(folder, 'checkout'));
    expect(commands).toHaveLength(3);
    expect(artifacts).toEqual(['trials.jsonl', 'junit.xml', 'report.html']);
    for (const name of artifacts) expect(readFileSync(join(folder, 'checkout', name), 'utf8')).toContain('note');

    const dockerfile = readFileSync(here('Dockerfile'), 'utf8');
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]').join(' ');
    const words = /^# +(capture .*)$/m.exec(dockerfile)?.[1];
    const once = (): void => void run(`${entry} ${words}`, evals);
    once();
    // After a stop it is started again, and what is done stays.
    const results = readFileSync(join(evals, 'results.jsonl'), 'utf8');
    once();
    expect(readFileSync(join(evals, 'results.jsonl'), 'utf8')).toBe(results);
    expect(results).toContain('"id":"note"');
  });
});

/** The commands of a workflow, and the files that it keeps. */
function readSteps(workflow: string): { readonly commands: readonly string[]; readonly artifacts: readonly string[] } {
  const steps = workflow.split(/^ {6}- /m).slice(1);
  const textOf = (step: string, key: string): string | undefined =>
    new RegExp(`^ *${key}: (?:[>|]\\n((?: +.*\\n)+?)(?=^ {8}\\S|(?![^]))|(.*)$)`, 'm')
      .exec(step)
      ?.slice(1)
      .find(Boolean);
  return {
    commands: steps.flatMap(
      (step) =>
        textOf(step, 'run')
          ?.trim()
          .split(/\s*\n\s*/)
          .join(' ') ?? [],
    ),
    artifacts: steps.flatMap(
      (step) =>
        textOf(step, 'path')
          ?.trim()
          .split(/\s*\n\s*/) ?? [],
    ),
  };
}
