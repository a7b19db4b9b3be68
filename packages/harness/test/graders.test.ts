import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@parley/testing/needs';
import { areGone } from '@parley/testing/processes';
import { afterAll, describe, expect, it } from 'vitest';
import { graderOf, loadComparisonGrader, loadGrader } from '../src/index.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-graders-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const params = { input: 'x', output: 'the answer', hint: 'answer', metadata: { a: 1 } };
const write = (name: string, text: string, mode = 0o644): string => {
  writeFileSync(join(folder, name), text, { mode });
  return join(folder, name);
};
async function grade(name: string, text: string, options = {}, given: object = params) {
  await using grader = await loadGrader(write(name, text), options);
  return await grader.grade({ ...params, ...given });
}

describe('a grader', () => {
  it.each([
    [
      'module.mjs',
      'export const grade = async ({ output, hint }) => ({ pass: output.includes(hint), score: 1, outcome: { n: 1 } });',
    ],
    [
      'module.cjs',
      'exports.grade = ({ output, hint }) => ({ pass: output.includes(hint), score: 1, outcome: { n: 1 } });',
    ],
    [
      'script.py',
      'import json, sys\np = json.load(sys.stdin)\nprint(json.dumps({"pass": p["hint"] in p["output"], "score": 1, "outcome": {"n": 1}}))',
    ],
    ['script.sh', `cat > /dev/null\necho 'one moment' \necho '{"pass": true, "score": 1, "outcome": {"n": 1}}'`],
    [
      'shebang',
      '#!/usr/bin/env -S python3 -u\nimport json\nprint(json.dumps({"pass": True, "score": 1, "outcome": {"n": 1}}))',
    ],
  ])('may be %s, which nobody has made executable', async (name, text) => {
    expect(await grade(name, text)).toEqual({ pass: true, score: 1, outcome: { n: 1 } });
  });

  it.each([
    ['types.mts', 'export const grade ='],
    ['types.cts', 'exports.grade ='],
    ['types.ts', 'export const grade ='],
    ['default.ts', 'export default'],
    ['module/types.ts', 'export const grade ='],
  ])('may be TypeScript, in a package of modules or in no package: %s', async (name, head) => {
    mkdirSync(join(folder, 'module'), { recursive: true });
    write('module/package.json', '{"type":"module"}');
    const text = `${head} (p: { output: string; hint: string }): object => ({ pass: p.output.includes(p.hint), score: 1 });`;
    // Node before 22.18 needs a loader, which is found where the evaluation runs.
    expect(await grade(name, text, { cwd: REPOSITORY })).toEqual({ pass: true, score: 1 });
  });

  it(
    'in TypeScript that nothing reads says what to do',
    needs({ isMet: !Reflect.get(process.features, 'typescript'), reason: 'this Node reads TypeScript' }),
    async () => {
      const loading = grade('types.ts', 'export const grade = 1;', { cwd: folder });
      await expect(loading).rejects.toMatchObject({ code: 'grader_unusable' });
      await expect(loading).rejects.toThrow('npm install --save-dev tsx');
    },
  );

  it('may be a program of any kind, and a folder as `parley new grader` makes it', async () => {
    const program = write('program', '#!/bin/sh\necho \'{"pass": false, "score": 0}\'\n');
    chmodSync(program, 0o755);
    await using grader = await loadGrader(program);
    expect(await grader.grade(params)).toEqual({ pass: false, score: 0 });
    mkdirSync(join(folder, 'project', 'dist'), { recursive: true });
    write('project/package.json', '{"type":"module","bin":{"my-grader":"dist/main.js"}}');
    write('project/dist/main.js', 'export const grade = () => ({ pass: true, score: 0.5 });');
    await using project = await loadGrader(join(folder, 'project'));
    expect(await project.grade(params)).toEqual({ pass: true, score: 0.5 });
  });

  it('is told where the agent worked, and works there', async () => {
    const cwd = join(folder, 'workspace');
    mkdirSync(cwd);
    const text =
      'import json, os, sys\nprint(json.dumps({"pass": True, "score": 1, "reasoning": json.load(sys.stdin)["cwd"] + " " + os.getcwd()}))';
    expect(await grade('where.py', text, {}, { cwd })).toMatchObject({ reasoning: `${cwd} ${cwd}` });
  });

  it.each([
    ['score.mjs', 'export const grade = () => ({ pass: true, score: 7 });', 'score: expected a number from 0 to 1'],
    ['none.mjs', 'export const grade = () => undefined;', 'expected an object'],
    ['throws.mjs', 'export const grade = () => { throw new Error("ill"); };', 'failed: ill'],
    ['exits.mjs', 'export const grade = () => process.exit(3);', 'ended its thread with code 3'],
    ['code.py', 'import sys\nsys.stderr.write("no such model\\n")\nsys.exit(4)', 'exited with code 4: no such model'],
    ['quiet.sh', 'cat > /dev/null', 'produced no output'],
    ['words.sh', 'echo no JSON at all', 'is not valid JSON: no JSON at all'],
    ['shape.sh', `echo '{"pass": "yes", "score": 1}'`, 'pass: expected a boolean'],
  ])('whose result cannot be used says why: %s', async (name, text, message) => {
    const grading = grade(name, text);
    await expect(grading).rejects.toThrow(message);
    await expect(grading).rejects.toMatchObject({ code: 'grader_failed' });
  });

  it.each([
    ['missing.py', undefined, 'Grader not found'],
    ['empty.mjs', 'export const other = 1;', "must export a 'grade' function"],
    ['broken.mjs', 'export const grade = (;', 'cannot be used'],
    ['data.bin', 'nothing to run', 'neither a module nor a program'],
  ])('that cannot be run at all is refused before anything else runs: %s', async (name, text, message) => {
    const path = text === undefined ? join(folder, name) : write(name, text);
    const loading = loadGrader(path);
    await expect(loading).rejects.toThrow(message);
    await expect(loading).rejects.toMatchObject({ code: 'grader_unusable' });
  });

  it('that never ends is ended with all that it has started, and the others go on', async () => {
    const loops =
      'export const grade = ({ output }) => { if (output === "loop") for (;;) {} return { pass: true, score: 1 }; };';
    await using module = await loadGrader(write('loops.mjs', loops), { timeoutMs: 500 });
    const stuck = module.grade({ ...params, output: 'loop' });
    const other = module.grade(params);
    await expect(stuck).rejects.toThrow('took longer than 500 ms');
    expect(await other).toMatchObject({ pass: true });
    expect(await module.grade(params)).toMatchObject({ pass: true });

    const pids = join(folder, 'pids');
    const text = `sleep 600 & echo $! $$ > ${pids}; wait`;
    await expect(grade('sleeps.sh', text, { timeoutMs: 500 })).rejects.toThrow('took longer than 500 ms');
    const started = execFileSync('cat', [pids], { encoding: 'utf8' }).trim().split(' ').map(Number);
    expect(await areGone(started, 10_000)).toBe(true);
    const never = graderOf(() => new Promise(() => {}), { timeoutMs: 20 });
    await expect(never.grade(params)).rejects.toThrow('took longer than 20 ms');
  });

  it('that prints does not print among results', async () => {
    const said: string[] = [];
    const text = 'export const grade = () => { console.log("noise"); return { pass: true, score: 1 }; };';
    await using grader = await loadGrader(write('prints.mjs', text), { onLog: (each) => said.push(each) });
    expect(await grader.grade(params)).toMatchObject({ pass: true });
    await expect.poll(() => said.join('')).toContain('noise');
  });
});

describe('a comparison grader', () => {
  const runs = { one: { output: 'a' }, two: { output: 'bb' } };

  it.each(['compare', 'grade', 'default'])('exports %s', async (name) => {
    const head = name === 'default' ? 'export default' : `export const ${name} =`;
    const text = `${head} ({ runs }) => ({ rankings: Object.keys(runs).map((run, index) => ({ run, rank: index + 1, score: 1 })) });`;
    await using grader = await loadComparisonGrader(write(`compare-${name}.mjs`, text));
    expect(await grader.compare({ id: 'a', input: 'x', runs })).toMatchObject({
      rankings: [{ run: 'one', rank: 1 }, { run: 'two' }],
    });
  });

  it('that ranks a run which is none is refused', async () => {
    const text = 'export const compare = () => ({ rankings: [{ run: "three", rank: 1, score: 1 }] });';
    await using grader = await loadComparisonGrader(write('stranger.mjs', text));
    await expect(grader.compare({ id: 'a', input: 'x', runs })).rejects.toThrow('ranks "three"');
  });
});
