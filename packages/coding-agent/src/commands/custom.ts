import { join } from 'node:path';
import { createGuardedFiles, type GuardedFiles } from '@parley/host/files';
import { headOf } from '@parley/models/model';
import { foldersDownTo, type PersonalFolders } from '../project/folders.ts';
import { readFrontMatter } from '../project/front-matter.ts';
import type { PromptCommand } from '../prompt/prompt-command.ts';
import { fillArguments } from './fill-arguments.ts';

/** In a project and in the home; what stands later counts where names are the same. */
const PLACES: readonly (readonly string[])[] = [
  ['.claude', 'commands'],
  ['.parley', 'commands'],
];
const MAX_COMMANDS = 100;
/** Folders in folders: `git/commit.md` is `/git:commit`. */
const MAX_DEPTH = 3;

export interface CommandPlaces {
  readonly cwd: string;
  readonly personal?: PersonalFolders | undefined;
}

/**
 * The person's own commands and the project's: each `commands/<name>.md` is a prompt. Of two of one name the one nearest to the
 * session's folder counts.
 */
export async function readCustomCommands({ cwd, personal }: CommandPlaces): Promise<readonly PromptCommand[]> {
  const { home, config } = personal ?? {};
  const folders = foldersDownTo(cwd, home).filter((folder) => folder !== home);
  const places = [
    ...(home === undefined ? [] : [[join(home, '.claude', 'commands'), home]]),
    ...(config === undefined ? [] : [[join(config, 'commands'), config]]),
    ...folders.flatMap((folder) => PLACES.map((place) => [join(folder, ...place), folder])),
  ];
  const found = await Promise.all(
    places.map(([place = '', bound = '']) =>
      readFolder(createGuardedFiles({ roots: [bound] }), place, [], MAX_DEPTH).catch(() => []),
    ),
  );
  return found.flat();
}

async function readFolder(
  files: GuardedFiles,
  folder: string,
  names: readonly string[],
  depth: number,
): Promise<readonly PromptCommand[]> {
  const entries = (await files.list(folder)).slice(0, MAX_COMMANDS);
  const read = entries.map(async ({ name, type }): Promise<readonly PromptCommand[]> => {
    const path = join(folder, name);
    if (type === 'directory' && depth > 1 && /^[\w-]+$/.test(name)) {
      return readFolder(files, path, [...names, name], depth - 1);
    }
    if (!/^[\w-]+\.md$/.test(name)) return [];
    const text = await files.readText(path).catch(() => '');
    return text.trim() === '' ? [] : [createCommand([...names, name.slice(0, -'.md'.length)].join(':'), text)];
  });
  return (await Promise.all(read)).flat();
}

function createCommand(name: string, text: string): PromptCommand {
  const { facts, body } = readFrontMatter(text);
  const [firstLine = ''] = body.trim().split('\n');
  return {
    name,
    description: facts.description || headOf(firstLine.replace(/^#+\s*/, ''), 100),
    hint: facts['argument-hint'] || 'arguments',
    asks: (input) => fillArguments(body, input).trim(),
  };
}
