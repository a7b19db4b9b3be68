import { matchesText } from '../src/glob.ts';
import type { CommandPart, FilePart, Part } from '../src/shell/analysis.ts';
import { isHarmlessSetting } from '../src/shell/environment.ts';
import { readCommandLine } from '../src/shell/read-command-line.ts';
import type { ShellKind } from '../src/shell/reader.ts';
import type { ShellWord } from '../src/shell/words/shell-word.ts';
import { resolvePath } from '../src/workspace/paths.ts';
import { decideCase, readCorpus } from './corpus.ts';
import { type Executed, type ExecutedProgram, FOLDER, HOME, runLines } from './run-lines.ts';
import { createRandom, generateLine, generateStatefulLine, mutateLine, mutateWithTokens } from './shell-fuzz.ts';

const corpus = [...readCorpus('everyday.tsv'), ...readCorpus('adversarial.tsv')];

/** Runs allowed lines and finds what ran that was not seen in them. */
export async function findDifferences(
  name: string,
  command: string,
  kind: ShellKind,
  lines: readonly string[],
  isHarmless = isHarmlessSetting,
): Promise<string[]> {
  const executed = await runLines(command, lines, PROGRAMS);
  return lines.flatMap((line, index) =>
    differences(line, kind, executed[index] ?? { programs: [], created: [] }, isHarmless).map(
      (what) => `${name}: ${JSON.stringify(line)}: ${what}`,
    ),
  );
}

/** Made-up lines and those of the corpora, without those that nobody should run. */
export function makeLines(count: number, seed: number): readonly string[] {
  const random = createRandom(seed);
  const commands = corpus.map((entry) => entry.command);
  const made = Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return generateStatefulLine(random);
    const line = index % 10 === 1 ? generateLine(random) : (commands[random(commands.length)] ?? '');
    return index % 7 === 0 ? mutateLine(line, random) : mutateWithTokens(line, random);
  });
  return [...new Set([...commands, ...made])].filter((line) => !UNSAFE.test(line));
}

/** Do all rules of the corpora together allow this line? */
export function isAllowedLine(line: string, shell: 'sh' | 'bash'): boolean {
  return decideCase({ line: 0, verdicts: [], rules: '@all', command: line, reason: '' }, { shell }).verdict === 'allow';
}

/** What the policy believes that a line does. */
export function readBelief(line: string, kind: ShellKind): readonly Part[] {
  return flatten(readCommandLine(line, { directories: [FOLDER], home: HOME, shell: kind }));
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

function differences(
  line: string,
  kind: ShellKind,
  { programs, created }: Executed,
  isHarmless: typeof isHarmlessSetting,
): string[] {
  const parts = readBelief(line, kind);
  const commands = parts.filter((part) => part.type === 'command');
  const writes = parts.filter((part) => part.type === 'file' && part.access === 'write') as FilePart[];
  return [
    ...programs
      .filter((program) => !commands.some((part) => isSeen(part, program)))
      .map((program) => `ran ${JSON.stringify(program.words)} in ${program.cwd}`),
    ...programs.flatMap((program) =>
      [...program.environment]
        .filter(([name, value]) => !isHarmless(name, value, program.words[0] ?? ''))
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
