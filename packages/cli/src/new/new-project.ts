import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { CliError, usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { quoteWord } from '@parley/host/terminal';
import type { CliContext } from '../context.ts';
import { checkName, type ScaffoldName } from './check-name.ts';
import { readTemplates, type ScaffoldFile } from './read-templates.ts';
import { LANGUAGES, SCAFFOLD_KINDS, SCAFFOLDS, type Scaffold } from './scaffolds.ts';

export interface NewProjectOptions {
  readonly kind: string;
  readonly name: string;
  readonly language?: string;
  /** Where to write it. Default: a folder of its name. */
  readonly output?: string;
  readonly minimal?: boolean;
}

/** Languages by other names that people use. */
const ALSO_CALLED: Readonly<Record<string, string>> = { typescript: 'ts', py: 'python', python3: 'python' };

/** Writes a new project and says what to do with it. A folder that exists is left alone. */
export async function newProject(options: NewProjectOptions, context: CliContext): Promise<void> {
  const scaffold = findScaffold(options.kind, options.language);
  const name = await checkName(options.name, scaffold);
  const folder = resolve(context.cwd, options.output ?? name.base);
  const { files, isLinked } = await readTemplates(scaffold, name, { folder, isMinimal: options.minimal ?? false });
  await writeFiles(folder, files, `parley new ${options.kind} ${options.name} -o <another folder>`);
  context.stdout.write(
    describe({ scaffold, name, files, isLinked, isMinimal: options.minimal ?? false }, folder, context),
  );
}

function findScaffold(kind: string, language: string | undefined): Scaffold {
  const ofKind = SCAFFOLDS.filter((each) => each.kind === kind);
  const [first] = ofKind;
  if (!first) {
    const meant = didYouMean(kind, SCAFFOLD_KINDS) || ` There are ${SCAFFOLD_KINDS.join(', ')}.`;
    throw usageError(`"${kind}" is nothing that can be made.${meant}`, 'parley new --help');
  }
  if (language === undefined) return first;
  const wanted = ALSO_CALLED[language.toLowerCase()] ?? language.toLowerCase();
  const found = ofKind.find((each) => each.language === wanted);
  if (found) return found;
  if (first.language === 'json') {
    throw usageError(`An ${kind} is a description in JSON; --language is not needed.`, `parley new ${kind} <name>`);
  }
  const known = [...LANGUAGES, ...Object.keys(ALSO_CALLED)];
  const meant = didYouMean(language, known) || ` There are ${LANGUAGES.join(' and ')}.`;
  throw usageError(`There is no ${kind} in the language "${language}".${meant}`);
}

/** All files or none: what is begun is removed when something fails. */
async function writeFiles(folder: string, files: readonly ScaffoldFile[], elsewhere: string): Promise<void> {
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
      throw usageError(`${folder} exists already, and is left as it is.`, elsewhere);
    }
    throw new CliError('output_failed', `${folder} cannot be made: ${(cause as Error).message}`, { cause });
  }
  try {
    for (const { path, text } of files) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text, { flag: 'wx' });
      if (text.startsWith('#!')) await chmod(target, 0o755);
    }
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw new CliError('output_failed', `${folder} could not be written: ${(cause as Error).message}`, { cause });
  }
}

interface Made {
  readonly scaffold: Scaffold;
  readonly name: ScaffoldName;
  readonly files: readonly ScaffoldFile[];
  readonly isLinked: boolean;
  readonly isMinimal: boolean;
}

function describe({ scaffold, name, files, isLinked, isMinimal }: Made, folder: string, { cwd }: CliContext): string {
  const place = relative(cwd, folder) || '.';
  const steps = scaffold.next
    .map(([command, purpose]): [string, string] => [
      command.replaceAll('{module}', name.module).replaceAll('{name}', name.base),
      purpose,
    ])
    .filter(([command]) => !(isMinimal && /^npm test|unittest|adapt test/.test(command)));
  const width = Math.max(...steps.map(([command]) => command.length));
  const lines = [
    `Made ${name.full}, ${scaffold.title}:`,
    '',
    ...files.map(({ path }) => `  ${join(place, path)}`),
    '',
    'Next:',
    `  cd ${quoteWord(place)}`,
    ...steps.map(([command, purpose]) => (purpose === '' ? `  ${command}` : `  ${command.padEnd(width)}  ${purpose}`)),
  ];
  if (isLinked) lines.push('', 'Its packages are links into this checkout of Parley; npm fetches nothing.');
  return `${lines.join('\n')}\n`;
}
