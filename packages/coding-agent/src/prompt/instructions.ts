import { isAbsolute, join, relative } from 'node:path';
import { createGuardedFiles } from '@parley/host/files';
import { headOf } from '@parley/models/model';
import { foldersDownTo, isOwnFile, type PersonalFolders } from '../project/folders.ts';
import { importedPaths } from './imports.ts';
import type { Instructions } from './system-prompt.ts';

/** Where projects write down what agents should know. The first that exists in a folder counts. */
const FILES = ['AGENTS.md', 'CLAUDE.md'] as const;
/** Of one file. */
const MAX_CHARACTERS = 32_000;
/** Of all of them together. */
const MAX_ALL_CHARACTERS = 100_000;
/** How many files may import each other in a row. */
const MAX_IMPORT_DEPTH = 4;

export interface InstructionPlaces {
  /** The session's directories. */
  readonly roots: readonly string[];
  readonly personal?: PersonalFolders | undefined;
}

export interface ReadInstructions {
  readonly instructions: readonly Instructions[];
  /** What was left out, in sentences for the person. */
  readonly problems: readonly string[];
}

/** Reads the person's own file, and for each root those from its repository's root down to it: what is nearest comes last. */
export async function readInstructions({ roots, personal }: InstructionPlaces): Promise<ReadInstructions> {
  const reader = new InstructionReader(personal?.home);
  if (personal) await reader.readFolder(personal.config, [personal.config]);
  for (const root of roots) {
    const folders = foldersDownTo(root, personal?.home);
    const [top = root] = folders;
    for (const folder of folders) await reader.readFolder(folder, [top, ...roots]);
  }
  return reader;
}

/** The files of folders between a root and a path in it, which are read when something in them is. */
export async function readNestedInstructions(
  folders: readonly string[],
  roots: readonly string[],
  personal?: PersonalFolders,
): Promise<ReadInstructions> {
  const reader = new InstructionReader(personal?.home);
  for (const folder of folders) await reader.readFolder(folder, roots);
  return reader;
}

class InstructionReader implements ReadInstructions {
  readonly instructions: Instructions[] = [];
  readonly problems: string[] = [];
  readonly #home: string | undefined;
  readonly #read = new Set<string>();
  #characters = 0;

  constructor(home: string | undefined) {
    this.#home = home;
  }

  /** Reads a folder's file and what it imports, all of it inside the bounds. */
  async readFolder(folder: string, bounds: readonly string[]): Promise<void> {
    for (const name of FILES) {
      const path = join(folder, name);
      if (this.#read.has(path)) return;
      if (isOwnFile(path) && (await this.#readFile(path, bounds, 0))) return;
    }
  }

  async #readFile(path: string, bounds: readonly string[], depth: number): Promise<boolean> {
    this.#read.add(path);
    const text = await createGuardedFiles({ roots: bounds })
      .readText(path)
      .catch(() => '');
    if (text.trim() === '') return false;
    if (this.#characters > MAX_ALL_CHARACTERS) {
      this.problems.push(
        `${path} is left out: all instructions together have more than ${MAX_ALL_CHARACTERS} characters.`,
      );
      return true;
    }
    if (text.length > MAX_CHARACTERS) this.problems.push(`Of ${path} the first ${MAX_CHARACTERS} characters are read.`);
    const head = headOf(text, MAX_CHARACTERS);
    this.#characters += head.length;
    this.instructions.push({ path, text: head });
    for (const imported of importedPaths(head, path, this.#home)) await this.#import(imported, path, bounds, depth + 1);
    return true;
  }

  /** A path that is no file is nothing to tell of: many things begin with an @. */
  async #import(path: string, from: string, bounds: readonly string[], depth: number): Promise<void> {
    if (this.#read.has(path) || !isOwnFile(path)) return;
    if (!bounds.some((bound) => isBelow(bound, path))) {
      this.problems.push(`${from} imports ${path}, which is outside of the project; it is left out.`);
    } else if (depth > MAX_IMPORT_DEPTH) {
      this.problems.push(`${from} imports ${path}; files may import each other ${MAX_IMPORT_DEPTH} times in a row.`);
    } else await this.#readFile(path, bounds, depth);
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
