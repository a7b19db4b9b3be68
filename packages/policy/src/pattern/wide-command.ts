import type { CommandPart } from '../shell/analysis.ts';
import { programName } from '../shell/program-name.ts';
import { literalWord, type ShellWord } from '../shell/words/shell-word.ts';
import { type CommandPattern, matchCommand, type PatternWord } from './command-pattern.ts';
import type { Match } from './match.ts';

/**
 * The reading of ask and deny rules: the program under any path and in any case, its own options before the subcommand left
 * out, and options in any order and any cluster (`rm -r -f` for `rm -rf`). The pattern must be folded.
 */
export function matchCommandWide(pattern: CommandPattern, part: CommandPart): Match {
  let best: Match = 'no';
  for (const words of spellings(part)) {
    const match = matchCommand(pattern, words, true);
    if (match === 'yes') return 'yes';
    if (match === 'maybe') best = 'maybe';
  }
  return matchesByOptions(pattern, part.words) ? 'yes' : best;
}

/** How many leading options are left out at most. */
const MAX_LEADING = 12;

function spellings(part: CommandPart): readonly (readonly ShellWord[])[] {
  const [first, ...rest] = part.words;
  if (first?.value === undefined) return [];
  const program = literalWord(programName(first.value));
  const written: ShellWord[][] = [[...part.environment, ...part.words], [...part.words], [program, ...rest]];
  if (part.plainWords) written.push([program, ...part.plainWords.slice(1)]);
  for (let dropped = 1; dropped <= Math.min(rest.length, MAX_LEADING); dropped += 1) {
    const [before, last] = [rest[dropped - 2], rest[dropped - 1]];
    const isOption = last?.value?.startsWith('-') ?? true;
    const isValue = before?.value?.startsWith('-') ?? false;
    if (!isOption && !isValue) break;
    written.push([program, ...rest.slice(dropped)]);
  }
  return written;
}

/** Does the call have all options of the pattern, wherever they stand, and its other words in order? */
function matchesByOptions(pattern: CommandPattern, words: readonly ShellWord[]): boolean {
  const [program, ...expected] = pattern.words;
  const name = programName(words[0]?.value ?? '').toLowerCase();
  if (program?.literal !== name) return false;
  const isOption = (word: PatternWord) => word.literal?.startsWith('-') ?? false;
  const wanted = expected.filter(isOption).map((word) => word.literal ?? '');
  if (wanted.length === 0) return false;
  const values = words.slice(1).map((word) => word.value?.toLowerCase() ?? '');
  const letters = values.filter((value) => /^-[a-z0-9]+$/.test(value)).join('');
  const has = (option: string) => {
    if (/^-[a-z0-9]+$/.test(option)) return [...option.slice(1)].every((letter) => letters.includes(letter));
    return values.some((value) => value === option || value.startsWith(`${option}=`));
  };
  if (!wanted.every(has)) return false;
  const operands = words.slice(1).filter((word) => !word.value?.startsWith('-'));
  const rest: CommandPattern = { ...pattern, words: [program, ...expected.filter((word) => !isOption(word))] };
  return matchCommand(rest, [literalWord(name), ...operands], true) !== 'no';
}
