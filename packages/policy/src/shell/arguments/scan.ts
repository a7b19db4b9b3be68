import { GLOBSTAR } from '../../glob.ts';
import type { Danger, FileUse } from '../analysis.ts';
import { literalWord, type ShellWord } from '../words/shell-word.ts';
import { danger, UNKNOWN_ARGUMENT } from './dangers.ts';
import { mentionedFiles } from './mentions.ts';
import { SWITCH } from './option-meanings.ts';
import type { CommandProfile, FoundOption, OptionMeaning, ValueRole } from './profile.ts';

/** Arguments of one call, sorted by a profile. */
export interface Scan {
  readonly operands: readonly ShellWord[];
  readonly files: readonly FileUse[];
  readonly dangers: readonly Danger[];
  readonly options: readonly FoundOption[];
}

/** Sorts the arguments of a call into operands, files and dangers. */
export function scanArguments(profile: CommandProfile, words: readonly ShellWord[]): Scan {
  const operands: ShellWord[] = [];
  const files: FileUse[] = [];
  const dangers: Danger[] = [];
  const found: FoundOption[] = [];
  const hasDangers = hasDangerousOption(profile);
  let isTree = profile.isTree ?? false;
  let follows = profile.follows ?? false;
  let isAfterOptions = false;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    if (isAfterOptions || !isOptionLike(word)) {
      operands.push(word);
      isAfterOptions ||= profile.stopsAtOperand ?? false;
    } else if (word.value === undefined) {
      // A file that is named like an option is found on the disk; nobody looks there for a text.
      const isText = operands.length === 0 && typeof profile.operands === 'object' && profile.operands.first === 'text';
      if (hasDangers || isText) dangers.push(danger(UNKNOWN_ARGUMENT, word));
      operands.push(word);
    } else if (word.value === '--') {
      isAfterOptions = true;
    } else {
      const options = profile.style === 'words' ? wordOption(profile, word.value) : gnuOptions(profile, word.value);
      for (const { name, meaning, glued } of options) {
        isTree ||= meaning.isTree ?? false;
        follows ||= meaning.follows ?? false;
        isAfterOptions ||= meaning.isLast ?? false;
        const takesNext = meaning.value !== undefined && glued === undefined;
        const valueWord = takesNext ? words[index + 1] : word;
        const value = glued === undefined ? (takesNext ? valueWord : undefined) : { ...word, value: glued };
        found.push({ name, value });
        if (meaning.danger !== undefined) {
          dangers.push({ because: meaning.danger, words: takesNext && valueWord ? [word, valueWord] : [word], name });
        }
        if (meaning.value === 'read' || meaning.value === 'write') {
          const besides = meaning.isBesides
            ? {
                besides: { because: 'writes a file', words: takesNext && valueWord ? [word, valueWord] : [word], name },
              }
            : {};
          if (value && value.value !== '-')
            files.push({ word: value, access: meaning.value, isTree: false, ...besides });
        }
        if (meaning.value === 'touch' && valueWord) files.push(...mentionedFiles(valueWord));
        // A value that looks like an option is looked at as one, too; what follows is then the value of either.
        if (takesNext && /^-[^\d]/.test(valueWord?.value ?? ''))
          dangers.push(danger('is an option, or the value of the one before', word, ...(valueWord ? [valueWord] : [])));
        else if (takesNext) index += 1;
      }
      if (options.every((option) => option.meaning.value === undefined)) files.push(...mentionedFiles(word));
    }
  }
  pushOperandFiles(files, profile, operands, { isTree, follows });
  return { operands, dangers, files, options: found };
}

interface WrittenOption {
  readonly name: string;
  readonly meaning: OptionMeaning;
  /** The value, when it stands in the same word. */
  readonly glued: string | undefined;
}

const UNKNOWN_OPTION: OptionMeaning = { danger: 'is an option that is not known here' };

/** What an option means that the profile does not list. */
function unlisted({ isOpen }: CommandProfile, name: string): OptionMeaning {
  return isOpen || /^-\d$|^--?(?:help|version)$/.test(name) ? SWITCH : UNKNOWN_OPTION;
}

/** `--name`, `--name=value`, or a cluster of short options of which the last may take the rest as its value. */
function gnuOptions(profile: CommandProfile, text: string): readonly WrittenOption[] {
  const options = profile.options ?? {};
  if (text.startsWith('--')) {
    const equals = text.indexOf('=');
    const written = equals < 0 ? text : text.slice(0, equals);
    const name = profile.hasUnderscores ? written.replaceAll('_', '-') : written;
    return [{ name, meaning: longMeaning(profile, name), glued: equals < 0 ? undefined : text.slice(equals + 1) }];
  }
  const found: WrittenOption[] = [];
  for (let index = 1; index < text.length; index += 1) {
    const name = `-${text[index]}`;
    const meaning = options[name] ?? unlisted(profile, name);
    const rest = text.slice(index + 1);
    const takesValue = meaning.value !== undefined;
    found.push({ name, meaning, glued: takesValue && rest !== '' ? rest.replace(/^=/, '') : undefined });
    if (takesValue || meaning === UNKNOWN_OPTION) break;
  }
  return found;
}

/** Programs accept the beginning of a long option for it: `--checkpoint-act` is `--checkpoint-action`. Only whole names are known here. */
function longMeaning(profile: CommandProfile, name: string): OptionMeaning {
  const exact = profile.options?.[name];
  if (exact !== undefined) return exact;
  const isBeginning = name.length > 2 && Object.keys(profile.options ?? {}).some((option) => option.startsWith(name));
  return isBeginning ? UNKNOWN_OPTION : unlisted(profile, name);
}

/** Options of one dash and a whole name; a number may be glued to one that takes a value. */
function wordOption(profile: CommandProfile, text: string): readonly WrittenOption[] {
  const equals = text.indexOf('=');
  const name = (equals < 0 ? text : text.slice(0, equals)).replace(/^--/, '-');
  const exact = profile.options?.[name];
  const glued = equals < 0 ? undefined : text.slice(equals + 1);
  if (exact !== undefined) return [{ name, meaning: exact, glued }];
  const [, letters = '', number] = /^(-[A-Za-z]+)(\d+)$/.exec(text) ?? [];
  const meaning = profile.options?.[letters];
  return meaning?.value === undefined
    ? [{ name, meaning: unlisted(profile, name), glued }]
    : [{ name: letters, meaning, glued: number }];
}

/** May the program take this word for an option? An unknown word may turn out to be one. */
function isOptionLike(word: ShellWord): boolean {
  return word.value === undefined ? mayBeOption(word) : word.value.startsWith('-') && word.value !== '-';
}

/** Is the word unknown, and nothing keeps it from starting with a dash? */
export function mayBeOption(word: ShellWord): boolean {
  if (word.value !== undefined) return false;
  if (word.below !== undefined)
    return (
      !word.below.every((root) => /^(?:\.{0,2}\/|\.{1,2}$)/.test(root)) ||
      word.isBare === true ||
      word.isBroken === true
    );
  const first = word.glob[0];
  const mayBreak = word.splits && word.glob.includes(GLOBSTAR);
  return first === undefined || first < 0 || first === DASH || mayBreak;
}

const dangerous = new WeakMap<CommandProfile, boolean>();

/** Looked up once for each profile. A list of names is rare enough that a `*` is not asked about because of it. */
function hasDangerousOption(profile: CommandProfile): boolean {
  const known = dangerous.get(profile);
  if (known !== undefined) return known;
  const found = Object.values(profile.options ?? {}).some(
    (meaning) => (meaning.danger !== undefined && meaning.value !== 'read') || meaning.value === 'write',
  );
  dangerous.set(profile, found);
  return found;
}

/** Neither its operands nor its options name files, run programs or change anything. */
export function takesTextOnly({ operands, options = {}, lookInstead }: CommandProfile): boolean {
  if (operands !== 'text' || lookInstead !== undefined) return false;
  return Object.values(options).every(({ value = 'text', danger: found }) => value === 'text' && found === undefined);
}

/** Adds the files that operands name to `files`. */
function pushOperandFiles(
  files: FileUse[],
  profile: CommandProfile,
  operands: readonly ShellWord[],
  { isTree, follows }: { readonly isTree: boolean; readonly follows: boolean },
): void {
  const { operands: roles = 'touch', lastIsTarget = false, skipsHidden = false } = profile;
  if (profile.readsFolder && operands.length === 0)
    files.push({ word: literalWord('.'), access: 'read', isTree, follows, skipsHidden });
  for (const [index, word] of operands.entries()) {
    const role = roleOf(roles, index, operands.length);
    if (role === 'text' || word.value === '-') continue;
    if (role === 'touch') {
      files.push(...mentionedFiles(word));
      continue;
    }
    const isTarget = lastIsTarget && index > 0 && index === operands.length - 1;
    files.push({
      word,
      access: isTarget && role === 'move' ? 'write' : role,
      isTree: isTree && !isTarget,
      follows: follows && !isTarget,
      skipsHidden,
      isCopied: lastIsTarget && role === 'read',
    });
  }
}

function roleOf(
  roles: ValueRole | { first?: ValueRole; rest: ValueRole; last?: ValueRole },
  index: number,
  count: number,
): ValueRole {
  if (typeof roles === 'string') return roles;
  if (index === 0 && roles.first !== undefined) return roles.first;
  if (index === count - 1 && index > 0 && roles.last !== undefined) return roles.last;
  return roles.rest;
}

const DASH = 45;
