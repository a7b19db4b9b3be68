import type { FileUse } from '../analysis.ts';
import { danger } from '../arguments/dangers.ts';
import { namesInCode } from '../arguments/mentions.ts';
import { each, LOADS, READ, switches, TEXT } from '../arguments/option-meanings.ts';
import type { CommandProfile, Findings, Look } from '../arguments/profile.ts';
import { mayBeOption } from '../arguments/scan.ts';
import type { ShellWord } from '../words/shell-word.ts';

/** `sed`: in-place editing writes its operands; the commands e, w, r and W run programs, write and read files. */
const lookIntoSed: Look = ({ words }) => {
  const scripts: ShellWord[] = [];
  const operands: ShellWord[] = [];
  let inPlace: ShellWord | undefined;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value;
    if (word === undefined) break;
    if (value === undefined) {
      operands.push(word);
    } else if (/^(?:-[nErszu]*e|--expression)$/.test(value)) {
      scripts.push(words[index + 1] ?? word);
      index += 1;
    } else if (/^(?:-[nErszu]*e.|--expression=)/.test(value)) {
      scripts.push({ ...word, value: value.replace(/^(?:-[nErszu]*e|--expression=)/, '') });
    } else if (/^(?:-[nErszu]*f|--f)/.test(value)) {
      const file = /^-[nErszu]*f.|=/.test(value)
        ? { ...word, value: value.replace(/^(?:-[nErszu]*f|--[a-z-]*=)/, '') }
        : words[index + 1];
      return {
        dangers: [danger('runs a script from a file', word)],
        files: file ? [{ word: file, access: 'read', isTree: false }] : [],
      };
    } else if (/^(?:-[nErszu]*i|--in)/.test(value)) {
      const suffix = value.replace(/^(?:-[nErszu]*i|--[a-z-]*=?)/, '');
      if (!BACKUP_SUFFIX.test(suffix)) return { dangers: [danger('writes a file of another name', word)] };
      inPlace = word;
    } else if (!value.startsWith('-') || value === '-') {
      operands.push(word);
    } else if (!SED_SWITCH.test(value)) {
      return { dangers: [danger('is not an option known to be harmless', word)] };
    }
  }
  // BSD sed takes the suffix of -i as a word of its own, so after an empty word the script is still to come.
  for (let isEmpty = scripts.length === 0; isEmpty; ) {
    const script = operands.shift();
    if (script) scripts.push(script);
    isEmpty = script?.value === '';
  }
  const dangers = scripts
    .filter((word) => !isPlainSed(word.value))
    .map((word) => danger('is a script that can run programs or write files', word));
  const unknown = operands.filter(mayBeOption);
  return {
    dangers: [...dangers, ...unknown.map((word) => danger('is only known when it runs', word))],
    files: [
      ...operands.map(
        (word): FileUse => ({
          word,
          access: inPlace ? 'write' : 'read',
          isTree: false,
          ...(inPlace ? { besides: danger('changes its files', inPlace) } : {}),
        }),
      ),
      ...scripts.flatMap((word) => (isPlainSed(word.value) ? [] : namesInCode(word))),
    ],
  };
};

/**
 * Is this a sed script of substitutions, deletions, prints and the like? Everything else may run (`e`), write (`w`) or read
 * (`r`) something. Substitutions are walked by their delimiter; a script that is not understood is not plain.
 */
export function isPlainSed(script: string | undefined): boolean {
  if (script === undefined || script.length > MAX_SCRIPT_CHARS) return false;
  let rest = script.trim();
  while (rest !== '') {
    rest = rest.replace(SED_ADDRESS, '').replace(/^[\s!{]+/, '');
    const command = rest[0];
    if (command === undefined) return true;
    if (command === 's' || command === 'y') {
      const after = skipSubstitution(rest);
      if (after === undefined) return false;
      const flags = /^[gpiIm0-9]*/.exec(after)?.[0] ?? '';
      rest = after.slice(flags.length);
    } else if ('dDpPnNhHgGx=lqQz}'.includes(command)) {
      rest = rest.slice(1).replace(/^\d*/, '');
    } else {
      return false;
    }
    if (rest !== '' && !/^\s*[;\n}]/.test(rest)) return false;
    rest = rest.replace(/^[\s;]+/, '');
  }
  return true;
}

/** `s/a/b/` up to the third delimiter; nothing when the delimiter is odd or missing. */
function skipSubstitution(text: string): string | undefined {
  const delimiter = text[1];
  if (delimiter === undefined || /[\\\s\w;]/.test(delimiter)) return undefined;
  let index = 2;
  for (let found = 0; found < 2; index += 1) {
    if (index >= text.length || text[index] === '\n') return undefined;
    if (text[index] === '[' && delimiter !== '[') {
      const close = text.indexOf(']', index + 2);
      if (close > 0 && text.slice(index, close).includes(delimiter)) return undefined;
    }
    if (text[index] === '\\') index += 1;
    else if (text[index] === delimiter) found += 1;
  }
  return text.slice(index);
}

/** `awk`: a program that only prints and filters is plain; pipes, redirects, getline, system and `-f` are not. */
const lookIntoAwk: Look = ({ words, operands }): Findings => {
  const program = operands[0];
  const dangers =
    program && !isPlainAwk(program.value) ? [danger('is a script that can run programs or write files', program)] : [];
  const assigns = operands.slice(1).filter((word) => word.value === undefined || /^\w+=/.test(word.value));
  return {
    files: program && dangers.length > 0 ? namesInCode(program) : [],
    dangers: [...dangers, ...assigns.map((word) => danger('sets a variable of the script', word))],
    ...(words.length === 1 ? { opaque: 'has no program' } : {}),
  };
};

/** Does this awk program only filter, calculate and print to its output? What is not understood is not plain. */
export function isPlainAwk(program: string | undefined): boolean {
  if (program === undefined || program.length > MAX_SCRIPT_CHARS) return false;
  const bare = blankAwkText(program);
  if (bare === undefined || AWK_REACHES_OUT.test(bare)) return false;
  const compared = bare.replace(AWK_PATTERN, '').replace(AWK_PARENTHESES, '()');
  return !/[|<>@`]/.test(compared.replaceAll('||', '').replaceAll('>=', '').replaceAll('<=', ''));
}

/** Takes strings, patterns and comments out of an awk program; nothing where a slash could be either thing. */
function blankAwkText(program: string): string | undefined {
  let bare = '';
  for (let index = 0; index < program.length; index += 1) {
    const character = program[index] ?? '';
    const before = bare.trimEnd();
    if (character === '"' || (character === '/' && !/[\w$\]"]$/.test(before))) {
      if (character === '/' && /[)+-]$/.test(before)) return undefined;
      const end = findAwkEnd(program, index);
      if (end === undefined) return undefined;
      bare += '"';
      index = end;
    } else if (character === '/' && /\b(?:print|printf|return|in|case|delete|exit|getline|else|do)$/.test(before)) {
      return undefined;
    } else if (character === '#') {
      return undefined;
    } else {
      bare += character;
    }
  }
  return bare;
}

/** The closing quote or slash. Awks disagree about slashes and quotes in a pattern's brackets, so those are refused. */
function findAwkEnd(program: string, start: number): number | undefined {
  const isPattern = program[start] === '/';
  for (let index = start + 1; index < program.length; index += 1) {
    const character = program[index];
    if (character === program[start]) return index;
    if (character === '\n' || (isPattern && character === '"')) return undefined;
    if (character === '\\') index += 1;
    if (isPattern && character === '[') {
      const close = program.indexOf(']', index + 2);
      if (close < 0 || /[/\\"]/.test(program.slice(index, close))) return undefined;
      index = close;
    }
  }
  return undefined;
}

const AWK: CommandProfile = {
  operands: { first: 'text', rest: 'read' },
  options: {
    ...each('-F --field-separator', TEXT),
    ...each('-v --assign', TEXT),
    ...each(
      '-f --file -i --include -l --load -E --exec -o --pretty-print -d --dump-variables -p --profile -e --source -D --debug',
      LOADS,
    ),
    ...switches(
      '-bcCgnkNOPrStV --posix --traditional --re-interval --sandbox --characters-as-bytes --non-decimal-data --csv',
    ),
  },
  look: lookIntoAwk,
};

export const TEXT_TOOLS: Readonly<Record<string, CommandProfile>> = {
  sed: { lookInstead: lookIntoSed },
  gsed: { lookInstead: lookIntoSed },
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  yq: {
    operands: { first: 'text', rest: 'read' },
    options: {
      ...each('-i --inplace', { danger: 'changes its files' }),
      ...each('-o -p -I --output-format --input-format --indent', TEXT),
      '--from-file': READ,
      ...switches(
        '-rneCMNPjcS --unwrapScalar --null-input --exit-status --colors --no-colors --no-doc --prettyPrint --raw-output',
      ),
    },
    look: ({ operands }) => {
      const program = operands[0];
      const isPlain = program?.value !== undefined && !/\b(?:load|env|envsubst|strenv|system|eval)/.test(program.value);
      return {
        dangers: program && !isPlain ? [danger('is a script that reads files or the environment', program)] : [],
      };
    },
  },
};

/** Longest script of sed or awk that is looked into. */
const MAX_SCRIPT_CHARS = 2000;
/** Backups that are no file of their own meaning. */
const BACKUP_SUFFIX = /^(?:|~|\.(?:bak|orig|old|backup|tmp))$/;
/** In `sed`: switches that change nothing about what a script can do. */
const SED_SWITCH =
  /^(?:-[nErszu]+|--|--(?:quiet|silent|regexp-extended|separate|null-data|posix|debug|sandbox|version|help|unbuffered))$/;
/** In `sed`: a line, a range or a pattern before the command. */
const SED_ADDRESS = /^(?:(?:\d+|\$|\/(?:[^/\\[\n]|\\.)*\/I?)(?:\s*,\s*(?:[+~]?\d+|\$|\/(?:[^/\\[\n]|\\.)*\/I?))?\s*)?/;
/** In `awk`: words that run programs, read other files or the environment, or define what we do not follow. */
const AWK_REACHES_OUT =
  /\b(?:system|getline|close|fflush|include|load|namespace|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|function|func)\b/;
/** A comparison as the pattern before the first action, and one in parentheses. */
const AWK_PATTERN = /^\s*(?:\$?\w+(?:\(\$?\w*\))?\s*[<>]=?\s*\$?-?[\w.]+\s*)(?=\{|$)/;
const AWK_PARENTHESES = /\(\s*\$?\w+\s*[<>]=?\s*\$?-?[\w.]+\s*\)/g;
