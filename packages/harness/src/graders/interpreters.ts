import { constants } from 'node:fs';
import { access, open, readFile, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { HarnessError } from '../errors.ts';

/** How a grader is run. */
export type FoundProgram =
  | { readonly kind: 'module'; readonly path: string }
  | { readonly kind: 'program'; readonly argv: readonly string[] };

const MODULES: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);

/** What runs a file of this kind that does not say so itself. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  '.py': [process.platform === 'win32' ? 'python' : 'python3'],
  '.sh': ['sh'],
  '.bash': ['bash'],
  '.zsh': ['zsh'],
  '.rb': ['ruby'],
  '.pl': ['perl'],
  '.php': ['php'],
  '.lua': ['lua'],
  '.r': ['Rscript'],
  '.jl': ['julia'],
  '.ps1': ['pwsh', '-File'],
};

/**
 * A file as something to run: a module is loaded, a script is run by what its first line names or, without one, by what its ending stands for, and needs no
 * permission to be executed; anything else must be a program. A folder is the project that `parley new grader` makes.
 */
export async function findProgram(path: string, cwd: string): Promise<FoundProgram> {
  const full = resolve(cwd, path);
  const facts = await stat(full).catch(() => undefined);
  if (!facts) throw new HarnessError('grader_unusable', `Grader not found: ${path}`);
  if (facts.isDirectory()) return { kind: 'module', path: await mainOf(full, path) };
  const ending = extname(full).toLowerCase();
  if (MODULES.has(ending)) return { kind: 'module', path: full };
  const words = (await readShebang(full)) ?? INTERPRETERS[ending];
  if (words) return { kind: 'program', argv: [...words, full] };
  try {
    await access(full, constants.X_OK);
    return { kind: 'program', argv: [full] };
  } catch (cause) {
    throw new HarnessError(
      'grader_unusable',
      `The grader ${path} is neither a module nor a program: give it an ending such as .py or .js, a first line such as "#!/usr/bin/env python3", or make it executable.`,
      { cause },
    );
  }
}

async function mainOf(folder: string, shown: string): Promise<string> {
  try {
    const { main, bin, exports: exported } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const first = [
      main,
      typeof exported === 'string' ? exported : undefined,
      ...(typeof bin === 'object' ? Object.values(bin) : [bin]),
    ];
    const found = first.find((each) => typeof each === 'string');
    if (found !== undefined) return join(folder, found as string);
  } catch {
    // Told below: no package.json is as good as one that names nothing.
  }
  throw new HarnessError(
    'grader_unusable',
    `${shown} is a folder whose package.json names no program; name the grader's file.`,
  );
}

async function readShebang(path: string): Promise<readonly string[] | undefined> {
  if (process.platform === 'win32') return undefined;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_FIRST_LINE_BYTES), 0, MAX_FIRST_LINE_BYTES, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/, 1);
    if (!line.startsWith('#!')) return undefined;
    const words = line.slice(2).trim().split(/\s+/);
    // `-S` is how a first line gives more than one argument; we give them all anyway.
    return words[0]?.endsWith('/env') ? words.slice(1).filter((word) => word !== '-S') : words;
  } finally {
    await file.close();
  }
}

const MAX_FIRST_LINE_BYTES = 256;
