import type { FileUse } from '../analysis.ts';
import { danger } from '../arguments/dangers.ts';
import { namesInCode } from '../arguments/mentions.ts';
import { each, LOADS, READ, switches, TEXT } from '../arguments/option-meanings.ts';
import type { CommandProfile, Findings, Look } from '../arguments/profile.ts';
import { mayBeOption } from '../arguments/scan.ts';
import type { ShellWord } from '../words/shell-word.ts';
import { isFilterInAwk } from './languages/awk.ts';
import { isFilterInSed } from './languages/sed.ts';

/** `sed`: in-place editing writes its operands; a script must be one that only filters. */
const lookIntoSed: Look = ({ words }) => {
  const scripts: ShellWord[] = [];
  const operands: ShellWord[] = [];
  let inPlace: ShellWord | undefined;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value;
    if (word === undefined) break;
    if (value === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (value === undefined) {
      operands.push(word);
    } else if (operands.length > 0 && /^(?:-[nErszu]*[ef]|--(?:expression|file))/.test(value)) {
      return { dangers: [danger('is a script behind a word that some seds take for the script', word)] };
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
    .filter((word) => !isFilterInSed(word.value))
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
      ...scripts.flatMap((word) => (isFilterInSed(word.value) ? [] : namesInCode(word))),
    ],
  };
};

/** `awk`: the program must be one that only filters and prints. */
const lookIntoAwk: Look = ({ words, operands }): Findings => {
  const program = operands[0];
  const dangers =
    program && !isFilterInAwk(program.value)
      ? [danger('is a script that can run programs or write files', program)]
      : [];
  const assigns = operands.slice(1).filter((word) => word.value === undefined || /^\w+=/.test(word.value));
  return {
    files: program && dangers.length > 0 ? namesInCode(program) : [],
    dangers: [...dangers, ...assigns.map((word) => danger('sets a variable of the script', word))],
    ...(words.length === 1 ? { opaque: 'has no program' } : {}),
  };
};

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

/** Backups that are no file of their own meaning. */
const BACKUP_SUFFIX = /^(?:|~|\.(?:bak|orig|old|backup|tmp))$/;
/** In `sed`: switches that change nothing about what a script can do. */
const SED_SWITCH =
  /^(?:-[nErszu]+|--(?:quiet|silent|regexp-extended|separate|null-data|posix|debug|sandbox|version|help|unbuffered))$/;
