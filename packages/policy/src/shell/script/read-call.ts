import type { CommandPart, Danger, Part } from '../analysis.ts';
import { danger, UNKNOWN_ARGUMENT } from '../arguments/dangers.ts';
import type { CommandProfile, Findings } from '../arguments/profile.ts';
import { scanArguments, takesTextOnly } from '../arguments/scan.ts';
import { isHarmlessSetting } from '../environment.ts';
import { outsideGrammar } from '../grammar.ts';
import { commandsThatMayRun } from '../may-run.ts';
import { findProfile } from '../profiles/index.ts';
import { programName } from '../program-name.ts';
import { type CallOptions, MAX_DEPTH, MAX_WORDS, type Reader } from '../reader.ts';
import type { State } from '../state.ts';
import type { ShellWord } from '../words/shell-word.ts';

/** Looks into a program's arguments by its profile. */
export function readCall(reader: Reader, options: CallOptions): Part {
  const { words, text, span, state } = options;
  const name = words[0]?.value;
  if (name === undefined || name === '')
    return { type: 'opaque', text, because: 'runs a program that is only known then' };
  if (RESERVED.has(name)) return { type: 'opaque', text, because: `uses the word ${name} as a program` };
  reader.budget.calls -= 1;
  if (reader.budget.calls < 0) return { type: 'opaque', text, because: 'has too many commands in it' };
  if (words.length > MAX_WORDS) return { type: 'opaque', text, because: `has more than ${MAX_WORDS} words` };
  if (reader.depth > MAX_DEPTH) return { type: 'opaque', text, because: 'is nested too deeply' };
  const found = FOLDER_COMMANDS.has(name) ? lookIntoFolder(options) : lookInto(reader, options, findProfile(name));
  if (found.opaque !== undefined) return { type: 'opaque', text, because: found.opaque };
  const environment = settingsFor(name, state);
  const profile = findProfile(name);
  const dangers = merge(found.dangers ?? NONE, findUnseen(options.words, found, profile));
  const part: CommandPart = {
    type: 'command',
    text,
    span,
    words,
    environment,
    directories: found.directories ?? state.directories,
    files: found.files ?? NONE,
    dangers,
    isHarmless: (found.isHarmless ?? false) && environment.length === 0,
    inner: found.inner,
    addresses: found.addresses ?? NONE,
    usesRepository: found.usesRepository ?? false,
    plainWords: found.plainWords,
    printsNames: found.printsNames,
    mayRun:
      name === 'cd'
        ? NONE
        : commandsThatMayRun(words, profile !== undefined, { dangers, inner: found.inner }, options.input),
  };
  return part;
}

/** The variables that change what this program does. */
function settingsFor(name: string, { environment }: State): readonly ShellWord[] {
  if (environment.length === 0) return NONE;
  const program = programName(name);
  return environment
    .filter((setting) => !isHarmlessSetting(setting.name, setting.word.value?.slice(setting.name.length + 1), program))
    .map(({ word }) => word);
}

function lookInto(reader: Reader, options: CallOptions, profile: CommandProfile | undefined): Findings {
  const { words } = options;
  if (profile?.lookInstead)
    return profile.lookInstead(
      { words, operands: [], dangers: [], options: [] },
      { reader, state: options.state, input: options.input },
    );
  const { operands, dangers, files, options: found } = scanArguments(profile ?? NO_PROFILE, words);
  if (profile === undefined) return { files, dangers: merge(dangers, unknownDangers(words)) };
  if (profile.look === undefined)
    return { files, dangers, isHarmless: words.length === 1 && words[0]?.value === 'cat' };
  const seen = profile.look(
    { words, operands, dangers, options: found },
    { reader, state: options.state, input: options.input },
  );
  return { ...seen, files: merge(files, seen.files), dangers: merge(dangers, seen.dangers) };
}

/**
 * A pattern or an unquoted expansion becomes any number of words. That is allowed for files, which are looked up, for the words of an inner
 * command, which is read on its own, and for programs that only print text. Elsewhere it could become options, scripts or commands.
 */
function findUnseen(
  words: readonly ShellWord[],
  found: Findings,
  profile: CommandProfile | undefined,
): readonly Danger[] {
  const lists = words.filter(({ value, splits }) => value === undefined && splits);
  if (lists.length === 0 || (profile !== undefined && takesTextOnly(profile))) return NONE;
  const seen = new Set([
    ...(found.files ?? []).map(({ word }) => word),
    ...(found.inner?.parts ?? []).flatMap(wordsOf),
  ]);
  return lists.filter((word) => !seen.has(word)).map((word) => danger(UNKNOWN_ARGUMENT, word));
}

function wordsOf(part: Part): readonly ShellWord[] {
  return part.type === 'command' ? part.words : NONE;
}

/** Of a program we do not know: options whose names say that they run something, and arguments nobody can see. */
function unknownDangers(words: readonly ShellWord[]): readonly Danger[] {
  return words.slice(1).flatMap((word, index): Danger[] => {
    const next = words[index + 2];
    if (/^-[ceErR]$/.test(word.value ?? '') && next && /[\s(){};$`]/.test(next.value ?? '$'))
      return [danger('seems to be code on the line', word, next)];
    if (word.value === undefined) return [danger(UNKNOWN_ARGUMENT, word)];
    if (/(?:^|=)data:/i.test(word.value)) return [danger('seems to be code on the line', word)];
    return TELLING_OPTION.test(word.value) ? [danger('is an option that may run other programs', word)] : [];
  });
}

/** `cd folder`, with nothing else. Behind a wrapper it may or may not move the shell. */
function lookIntoFolder({ words, leavesShell }: CallOptions): Findings {
  const [name, target, ...more] = words;
  const isPlain =
    name?.value === 'cd' && target?.value !== undefined && !/^[-+]/.test(target.value) && more.length === 0;
  if (!isPlain || leavesShell !== true) return { opaque: outsideGrammar('other change of folder') };
  return { files: [{ word: target, access: 'read', isTree: false }], isHarmless: true };
}

function merge<Item>(left: readonly Item[], right: readonly Item[] | undefined): readonly Item[] {
  return right === undefined || right.length === 0 ? left : [...left, ...right];
}

/** Words that are part of the language where a command can stand, so that shells differ about them elsewhere. */
const RESERVED = new Set(
  '! { } [[ ]] if then else elif fi case esac for select while until do done in time coproc'.split(' '),
);
const NONE: readonly never[] = [];
const NO_PROFILE: CommandProfile = { isOpen: true };
const FOLDER_COMMANDS = new Set(['cd', 'pushd', 'popd', 'chdir']);
const TELLING_OPTION =
  /^--?(?:exec|eval|command|cmd|shell|run|pager|editor|pre|post|hook|plugin|require|import|load|loader|config|init|startup|rcfile|ssh|rsh|proxy-?command|upload|output|out|use-compress)[a-z-]*(?:=|$)/i;
