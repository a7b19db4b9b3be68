import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What really happened when a shell ran a line. */
export interface Executed {
  readonly programs: readonly ExecutedProgram[];
  /** Files that were not there before, from the folder the line ran in. */
  readonly created: readonly string[];
}

export interface ExecutedProgram {
  readonly words: readonly string[];
  readonly cwd: string;
  /** Variables that the program found, other than those every program finds. */
  readonly environment: ReadonlyMap<string, string>;
}

/** Where lines are said to run: recorded paths are written as if they were these. */
export const FOLDER = '/proj/app';
export const HOME = '/home/me';

const PLACES = ['/bin', '/usr/bin', '/usr/local/bin'];

/** The shells of this machine that a line is run in. */
export function findShells(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    names.flatMap((name) => {
      const place = PLACES.find((folder) => existsSync(join(folder, name)));
      return place === undefined ? [] : [[name, join(place, name)] as const];
    }),
  );
}

/** A standalone busybox runs the programs that it contains, whatever the PATH says: its lines cannot be recorded. */
export function runsOwnPrograms(shell: string): boolean {
  const [program = '', ...args] = shell.split(' ');
  const { status } = spawnSync(program, [...args, '-c', 'awk 1'], { env: { PATH: '/nowhere' }, input: '' });
  return status === 0;
}

/** The folder of a line before it runs. */
const FILES = ['a.ts', 'b.ts', 'README.md', 'src/a.ts'];
const BATCH = 50;
/** Batches that run at the same time. */
const WORKERS = 4;
const BATCH_TIMEOUT_MS = 120_000;

/** A program that only writes down how it was called, in a file of its own: those of a pipe run at the same time. */
const STUB = `#!/bin/sh
{ printf '%s\\0' "$PWD" "\${0##*/}" "$@"; export -p; } > "$REC.$$"
`;

/** Runs each line in a folder of its own, with programs that do nothing but write down how they were called. */
export async function runLines(
  shell: string,
  lines: readonly string[],
  programs: readonly string[],
): Promise<readonly Executed[]> {
  const root = mkdtempSync(join(tmpdir(), 'parley-lines-'));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  const stub = join(bin, 'parley-stub');
  writeFileSync(stub, STUB);
  chmodSync(stub, 0o755);
  for (const program of programs) if (!existsSync(join(bin, program))) symlinkSync('parley-stub', join(bin, program));
  for (const [name, path] of findShells(['sh', 'bash', 'dash'])) {
    rmSync(join(bin, name), { force: true });
    symlinkSync(path, join(bin, name));
  }
  try {
    const batches = Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, index) => index * BATCH);
    const results: Executed[][] = [];
    const work = async (): Promise<void> => {
      for (let start = batches.shift(); start !== undefined; start = batches.shift())
        results[start / BATCH] = await runBatch(
          shell,
          lines.slice(start, start + BATCH),
          join(root, String(start)),
          bin,
        );
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    return results.flat();
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runBatch(shell: string, lines: readonly string[], root: string, bin: string): Promise<Executed[]> {
  const script = lines.map((line, index) => {
    const folder = join(root, String(index), 'one/two/three/app');
    mkdirSync(join(folder, 'src'), { recursive: true });
    for (const file of FILES) writeFileSync(join(folder, file), '');
    symlinkSync('src', join(folder, 'link'));
    const record = join(root, `${index}.record`);
    return `(cd ${folder}; REC=${record}; export REC; eval ${quote(line)}) </dev/null >/dev/null 2>&1\n`;
  });
  const file = join(root, 'script');
  writeFileSync(file, `${script.join('')}exit 0\n`);
  const env = { PATH: bin, HOME: join(root, 'home'), LC_ALL: 'C' };
  const [program = '', ...args] = shell.split(' ');
  await promisify(execFile)(program, [...args, file], { env, timeout: BATCH_TIMEOUT_MS, killSignal: 'SIGKILL' });
  // What a line started in the background may still be at it.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const records = groupByLine(root);
  return lines.map((_, index) => readExecuted(root, index, records.get(index) ?? [], env));
}

function readExecuted(
  root: string,
  index: number,
  records: readonly string[],
  env: Readonly<Record<string, string>>,
): Executed {
  const folder = join(root, String(index), 'one/two/three/app');
  const named = (text: string): string =>
    text
      .replaceAll(folder, FOLDER)
      .replaceAll(join(root, String(index), 'one/two/three'), '/proj')
      .replaceAll(env.HOME ?? '', HOME);
  const programs = records.map((record): ExecutedProgram => {
    const fields = readFileSync(record, 'utf8').split('\0');
    return {
      cwd: named(fields[0] ?? ''),
      words: fields.slice(1, -1).map(named),
      environment: readEnvironment(fields.at(-1) ?? '', env),
    };
  });
  const created = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    // Newer versions of Node list what is behind a link too.
    .filter((name) => !/^link(?:\/|$)/.test(name) && !FILES.includes(name));
  return { programs, created };
}

/** The records of a batch by the number of the line. */
function groupByLine(root: string): ReadonlyMap<number, string[]> {
  const found = new Map<number, string[]>();
  for (const name of readdirSync(root)) {
    const index = /^(\d+)\.record\.\d+$/.exec(name)?.[1];
    if (index !== undefined) found.set(Number(index), [...(found.get(Number(index)) ?? []), join(root, name)]);
  }
  return found;
}

/** Variables from the output of `export -p`, without those that are always there. */
function readEnvironment(text: string, env: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/^export (\w+)=?((?:'[^']*'|"'"|\\.|"[^"]*")*)/gms)) {
    const plain = value.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2');
    if (!ALWAYS.has(name) && env[name] !== plain) found.set(name, plain);
  }
  return found;
}

const ALWAYS = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', 'REC']);

function quote(line: string): string {
  return `'${line.replaceAll("'", `'\\''`)}'`;
}
