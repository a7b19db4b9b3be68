import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs, POSIX } from '@parley/testing/needs';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'parley-script-'));
const cacheHome = join(folder, 'cache');
const codeFolder = join(cacheHome, 'parley', 'code');
const isPosix = POSIX.isMet;

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('./load-script.ts', import.meta.url))],
    outfile: join(folder, 'load-script.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
  });
  writeFileSync(join(folder, 'late.mjs'), "export const word = 'late';");
  writeFileSync(
    join(folder, 'start.mjs'),
    `import { loadScript } from './load-script.mjs';
     const { run } = loadScript(process.argv[2], (specifier) => import(specifier));
     await run(process.argv[3]);`,
  );
  // Large enough for damage in the middle to be in code that runs.
  const functions = Array.from({ length: 300 }, (_, index) => `const f${index} = (x) => x + ${index};`).join('\n');
  const sum = Array.from({ length: 300 }, (_, index) => `f${index}(1)`).join('+');
  writeFileSync(
    join(folder, 'program-1.cjs'),
    `(function (module, require, __load) { ${functions}
       const crypto = require('node:crypto');
       module.exports.run = async (exitCode) => {
         const { sep } = require('node:path');
         const { word } = await __load('./late.mjs');
         if (process.env.USE_CRYPTO) crypto.randomUUID();
         if (process.env.SHOW_MODULES) return console.log(process.moduleLoadList.includes('NativeModule crypto'));
         console.log([word, sep, ${sum}].join(' '));
         process.exitCode = Number(exitCode);
       };
     })`,
  );
});
beforeEach(() => rmSync(cacheHome, { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a program that is a script', () => {
  it('runs, requires and loads', () => {
    expect(run()).toMatchObject({ status: 0, stdout: SAID, stderr: '' });
  });

  it("loads one of Node's modules only when it is used", () => {
    expect(run({ env: { SHOW_MODULES: '1' } }).stdout).toBe('false\n');
    expect(run({ env: { SHOW_MODULES: '1', USE_CRYPTO: '1' } }).stdout).toBe('true\n');
  });

  it('is compiled once: the next run finds what the first has kept, for its owner alone', () => {
    run();
    const [name = '', ...others] = readdirSync(codeFolder);
    expect(name).toBe(`program-1.cjs-${process.version}-${process.arch}`);
    expect(others).toEqual([]);
    if (isPosix) expect([modeOf(codeFolder), modeOf(kept())]).toEqual([0o700, 0o600]);
    const { ino } = statSync(kept());
    expect(run()).toMatchObject({ status: 0, stdout: SAID, stderr: '' });
    expect(statSync(kept()).ino).toBe(ino);
  });

  it('is not kept by a run that failed, since it may not have come far', () => {
    expect(run({ exitCode: 3 }).status).toBe(3);
    expect(existsSync(codeFolder)).toBe(false);
  });

  it.each([
    ['is empty', () => Buffer.alloc(0)],
    ['is cut', (code: Buffer) => code.subarray(0, code.length / 2)],
    ['is shorter than a sum', (code: Buffer) => code.subarray(0, 3)],
    ['has lost its first block', (code: Buffer) => code.fill(0, 0, 512)],
    ['has lost a block in the middle', (code: Buffer) => code.fill(0, 8192, 8192 + 512)],
    ['has lost its end', (code: Buffer) => code.fill(0, code.length - 512)],
    ['is something else', () => Buffer.from('something else')],
  ])('is compiled again when what was kept %s', (_, damage) => {
    run();
    const good = readFileSync(kept());
    writeFileSync(kept(), damage(Buffer.from(good)));
    expect(run()).toMatchObject({ status: 0, stdout: SAID, stderr: '' });
    expect(readFileSync(kept()).length).toBeGreaterThan(good.length / 2);
    const { ino } = statSync(kept());
    run();
    expect(statSync(kept()).ino).toBe(ino);
  });

  it('does not run what others could have written', needs(POSIX), () => {
    run();
    chmodSync(kept(), 0o666);
    const { ino } = statSync(kept());
    expect(run()).toMatchObject({ status: 0, stdout: SAID });
    expect(statSync(kept()).ino).not.toBe(ino);
    expect(modeOf(kept())).toBe(0o600);
  });

  it('keeps nothing in a folder where others could replace it', needs(POSIX), () => {
    mkdirSync(codeFolder, { recursive: true });
    chmodSync(codeFolder, 0o777);
    expect(run()).toMatchObject({ status: 0, stdout: SAID });
    expect(readdirSync(codeFolder)).toEqual([]);
  });

  it('runs where nothing can be kept', () => {
    writeFileSync(cacheHome, 'a file');
    expect(run()).toMatchObject({ status: 0, stdout: SAID, stderr: '' });
  });

  it.each(['NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'])('keeps nothing where %s is set', (variable) => {
    expect(run({ env: { [variable]: join(folder, 'coverage') } })).toMatchObject({ status: 0, stdout: SAID });
    expect(existsSync(codeFolder)).toBe(false);
  });

  it('takes away all but the dozen that was kept last', () => {
    mkdirSync(codeFolder, { recursive: true, mode: 0o700 });
    for (let age = 1; age <= 20; age += 1) {
      writeFileSync(join(codeFolder, `program-${age}.cjs`), '');
      utimesSync(join(codeFolder, `program-${age}.cjs`), Date.now() / 1000 - 60 * age, Date.now() / 1000 - 60 * age);
    }
    run();
    const left = Array.from({ length: 11 }, (_, index) => `program-${index + 1}.cjs`);
    expect(readdirSync(codeFolder).sort()).toEqual([basename(kept()), ...left].sort());
  });

  it('takes away what was kept of versions that nobody has used for a month', () => {
    mkdirSync(codeFolder, { recursive: true, mode: 0o700 });
    const month = 31 * 24 * 60 * 60;
    for (const [name, age] of [
      ['program-old.cjs', month],
      ['program-other.cjs', 60],
    ] as const) {
      writeFileSync(join(codeFolder, name), '');
      utimesSync(join(codeFolder, name), Date.now() / 1000 - age, Date.now() / 1000 - age);
    }
    run();
    expect(readdirSync(codeFolder).sort()).toEqual([basename(kept()), 'program-other.cjs']);
  });
});

const SAID = `late ${isPosix ? '/' : '\\'} ${300 + (299 * 300) / 2}\n`;

function run({ exitCode = 0, env = {} }: { exitCode?: number; env?: Record<string, string> } = {}) {
  const { NODE_V8_COVERAGE, NODE_DISABLE_COMPILE_CACHE, ...own } = process.env;
  return spawnSync(process.execPath, [join(folder, 'start.mjs'), join(folder, 'program-1.cjs'), String(exitCode)], {
    env: { ...own, XDG_CACHE_HOME: cacheHome, ...env },
    encoding: 'utf8',
  });
}

function kept(): string {
  return join(codeFolder, `program-1.cjs-${process.version}-${process.arch}`);
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
