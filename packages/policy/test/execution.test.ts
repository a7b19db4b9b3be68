import { describe, expect, it } from 'vitest';
import { matchesText } from '../src/glob.ts';
import type { CommandPart, FilePart, Part } from '../src/shell/analysis.ts';
import { isHarmlessSetting } from '../src/shell/environment.ts';
import { readCommandLine } from '../src/shell/read-command-line.ts';
import type { ShellKind } from '../src/shell/reader.ts';
import type { ShellWord } from '../src/shell/words/shell-word.ts';
import { resolvePath } from '../src/workspace/paths.ts';
import { decideCase, readCorpus } from './corpus.ts';
import {
  type Executed,
  type ExecutedProgram,
  FOLDER,
  findShells,
  HOME,
  runLines,
  runsOwnPrograms,
} from './run-lines.ts';
import { createRandom, generateLine, generateStatefulLine, mutateLine, mutateWithTokens } from './shell-fuzz.ts';

/** How many lines are made up; more with PARLEY_FUZZ_LINES. */
const LINES = Number(process.env.PARLEY_FUZZ_LINES ?? 50_000);
const SEED = Number(process.env.PARLEY_FUZZ_SEED ?? 20_261_116);
const TIMEOUT_MS = 600_000;

const corpus = [...readCorpus('everyday.tsv'), ...readCorpus('adversarial.tsv')];
const shells = findShells(['dash', 'bash', 'busybox']);

function commandOf(name: string): string {
  const path = shells.get(name) ?? name;
  return name === 'busybox' ? `${path} sh` : name === 'bash' ? `${path} --noprofile --norc -p` : path;
}

/** Skips a test, with its reason in the summary, where its lines cannot be run in a shell. */
function whereRecorded(name: string) {
  const skipReason = whyNotRecorded(name);
  return skipReason === undefined ? { skip: false } : { skip: true, meta: { skipReason } };
}

function whyNotRecorded(name: string): string | undefined {
  if (process.platform === 'win32') return 'Windows has no POSIX shells';
  if (!shells.has(name)) return `no ${name} found (apt-get install ${name})`;
  if (runsOwnPrograms(commandOf(name))) return `this ${name} runs programs of its own (apt-get install ${name})`;
  return undefined;
}

/** Runs allowed lines and finds what ran that was not seen in them. */
async function findDifferences(
  name: string,
  command: string,
  kind: ShellKind,
  lines: readonly string[],
): Promise<string[]> {
  const executed = await runLines(command, lines, PROGRAMS);
  return lines.flatMap((line, index) =>
    differences(line, kind, executed[index] ?? { programs: [], created: [] }).map(
      (what) => `${name}: ${JSON.stringify(line)}: ${what}`,
    ),
  );
}

describe('a line that is allowed', () => {
  const { anywhere, inBash } = allowedLines();

  it('is one of many, so that the following says something', () => {
    expect(anywhere.length).toBeGreaterThan(300);
    expect(inBash.length).toBeGreaterThan(50);
  });

  for (const name of ['dash', 'bash', 'busybox'])
    it(`runs in ${name} what was seen in it, where it is seen, with the variables that were seen, and writes nothing else`, {
      ...whereRecorded(name),
      timeout: TIMEOUT_MS,
    }, async () => {
      expect(await findDifferences(name, commandOf(name), 'any', anywhere)).toEqual([]);
      if (name === 'bash') expect(await findDifferences(name, commandOf(name), 'bash', inBash)).toEqual([]);
    });
});

function allowedLines(): { readonly anywhere: readonly string[]; readonly inBash: readonly string[] } {
  const random = createRandom(SEED);
  const commands = corpus.map((entry) => entry.command);
  const made = Array.from({ length: LINES }, (_, index) => {
    if (index % 2 === 0) return generateStatefulLine(random);
    const line = index % 10 === 1 ? generateLine(random) : (commands[random(commands.length)] ?? '');
    return index % 7 === 0 ? mutateLine(line, random) : mutateWithTokens(line, random);
  });
  const lines = [...new Set([...commands, ...made])].filter((line) => !UNSAFE.test(line));
  const isAllowed = (line: string, shell: 'sh' | 'bash'): boolean =>
    decideCase({ line: 0, verdicts: [], rules: '@all', command: line, reason: '' }, { shell }).verdict === 'allow';
  const anywhere = lines.filter((line) => isAllowed(line, 'sh'));
  const known = new Set(anywhere);
  return { anywhere, inBash: lines.filter((line) => !known.has(line) && isAllowed(line, 'bash')) };
}

/** Lines that are not run, though they may be allowed: other places of this machine, other processes, loops without an end. */
const UNSAFE =
  /(?:^|[^\w.\-"'$)}*?\]~])\/(?!dev\/(?:null|std))|kill|\b(?:while|until|suspend|ulimit|umask)\b|\.\.\/\.\.\/\.\.|-l\w*c|--login/;

const PROGRAMS = [
  ...new Set(
    corpus
      .flatMap((entry) => entry.command.split(/[\s;&|()`'"]+/))
      .filter((word) => /^[A-Za-z][\w-]*$/.test(word))
      .concat('a', 'b', 'eval', 'rm', 'touch'),
  ),
];

function differences(line: string, kind: ShellKind, { programs, created }: Executed): string[] {
  const parts = flatten(readCommandLine(line, { directories: [FOLDER], home: HOME, shell: kind }));
  const commands = parts.filter((part) => part.type === 'command');
  const writes = parts.filter((part) => part.type === 'file' && part.access === 'write') as FilePart[];
  return [
    ...programs
      .filter((program) => !commands.some((part) => isSeen(part, program)))
      .map((program) => `ran ${JSON.stringify(program.words)} in ${program.cwd}`),
    ...programs.flatMap((program) =>
      [...program.environment]
        .filter(([name, value]) => !isHarmlessSetting(name, value, program.words[0] ?? ''))
        .map(([name, value]) => `gave ${name}=${value} to ${program.words[0]}`),
    ),
    ...created.filter((file) => !writes.some((part) => isWritten(part, file))).map((file) => `wrote ${file}`),
  ];
}

function flatten(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) =>
    part.type === 'command' && part.inner ? [part, ...flatten(part.inner.parts)] : [part],
  );
}

/** `git -C sub` is said to work in `sub`, though it is started elsewhere. */
function isSeen({ words, directories }: CommandPart, program: ExecutedProgram): boolean {
  const isThere = directories === undefined || directories.includes(program.cwd) || program.words[1] === '-C';
  return isThere && fits(words, program.words);
}

/** Can these words become those arguments? */
function fits([word, ...rest]: readonly ShellWord[], args: readonly string[]): boolean {
  if (word === undefined) return args.length === 0;
  // The shell counts down the numbers of the pipes it makes.
  const arg = args[0]?.replaceAll(/\/dev\/fd\/6\d/g, '/dev/fd/63');
  if (word.value !== undefined) return arg === word.value && fits(rest, args.slice(1));
  const most = word.splits ? args.length : Math.min(1, args.length);
  for (let taken = word.splits ? 0 : 1; taken <= most; taken += 1) {
    if (args.slice(0, taken).every((arg) => isPossible(word, arg)) && fits(rest, args.slice(taken))) return true;
  }
  return false;
}

function isPossible(word: ShellWord, arg: string): boolean {
  return matchesText(word.glob, arg) || arg === word.text.replaceAll(/['"\\]/g, '');
}

function isWritten({ word, directories }: FilePart, file: string): boolean {
  return (
    word.value === undefined ||
    (directories ?? []).some((folder) => realPath(resolvePath(folder, word.value ?? '')) === `${FOLDER}/${file}`)
  );
}

/** The folder of a line has one link, `link` to `src`. */
function realPath(path: string): string {
  return path.replace(`${FOLDER}/link/`, `${FOLDER}/src/`);
}
