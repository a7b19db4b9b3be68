import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { SeenFiles } from '../operations/operations.ts';
import type { PersonalFolders } from '../project/folders.ts';
import { readNestedInstructions } from './instructions.ts';

export interface NestedInstructionsOptions {
  readonly roots: readonly string[];
  readonly personal?: PersonalFolders | undefined;
  /** Folders whose instructions the model has been told already. */
  readonly told: { get(): readonly string[]; add(folder: string): void };
}

/** What the project says about single folders: told when the model first reads or writes something in them. */
export class NestedInstructions {
  readonly #options: NestedInstructionsOptions;
  readonly #visited = new Set<string>();

  constructor(options: NestedInstructionsOptions) {
    this.#options = options;
  }

  /** Watches what the model reads and writes. */
  watch(seen: SeenFiles): SeenFiles {
    return {
      note: (path, content) => {
        this.#visited.add(dirname(path));
        seen.note(path, content);
      },
      hasChanged: (path, content) => seen.hasChanged(path, content),
    };
  }

  /** What there is to tell since it was last asked for, the outermost folder first. */
  async take(): Promise<readonly string[]> {
    if (this.#visited.size === 0) return [];
    const { roots, personal, told } = this.#options;
    const known = new Set(told.get());
    const folders = [...this.#visited]
      .flatMap((folder) => foldersBelow(roots, folder))
      .filter((each) => !known.has(each));
    this.#visited.clear();
    const fresh = [...new Set(folders)];
    if (fresh.length === 0) return [];
    for (const folder of fresh) told.add(folder);
    const { instructions } = await readNestedInstructions(fresh, roots, personal);
    return instructions.map(
      ({ path, text }) =>
        `<instructions>\nFrom ${path}, for everything in ${dirname(path)}:\n\n${text.trim()}\n</instructions>`,
    );
  }
}

/** The folders from below a root down to one. */
function foldersBelow(roots: readonly string[], folder: string): readonly string[] {
  const root = roots.find((each) => isInside(each, folder));
  if (root === undefined) return [];
  const names = relative(root, folder).split(sep);
  return names.map((_, index) => [root, ...names.slice(0, index + 1)].join(sep));
}

function isInside(root: string, folder: string): boolean {
  const way = relative(root, folder);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
