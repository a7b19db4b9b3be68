import { GLOBSTAR } from '../../pattern/glob.ts';
import type { FileUse } from '../analysis.ts';
import { danger } from '../arguments/dangers.ts';
import { readInnerScript } from '../arguments/inner.ts';
import type { CommandProfile, Findings, Look } from '../arguments/profile.ts';
import { isHazardousVariable } from '../environment.ts';
import type { ShellWord } from '../words/shell-word.ts';
import { isInput } from './interpreters.ts';

/** Does nothing but say or test what is written; `$?` counts as written. */
const saysWhatIsWritten: Look = ({ words }) => ({
  isHarmless: words.every(isWritten),
  files: words.filter(isPattern).map((word) => ({ word, access: 'read', isTree: false })),
});

/** A pattern becomes the names of files, so `echo /etc/*` lists a folder. */
function isPattern({ value, glob }: ShellWord): boolean {
  return value === undefined && glob.length > 0 && !glob.includes(GLOBSTAR);
}

function isWritten(word: ShellWord): boolean {
  return word.value !== undefined || /^[^$`]*\$\?[^$`]*$/.test(word.text);
}

const HARMLESS: CommandProfile = { operands: 'text', isOpen: true, look: saysWhatIsWritten };

const NAMES_VARIABLE = 'names a variable in a way that can run commands';

/** `printf -v 'a[$(cmd)]'` runs what is in the brackets, and `%n` sets the variable that is named: the format must be plain. */
const lookIntoPrintf: Look = (call, context): Findings => {
  const [first, second] = call.words.slice(1);
  const format = first?.value === '--' ? second : first;
  if (format === undefined) return { isHarmless: true };
  if (format.value === undefined) return { opaque: 'prints by a format that is only known then' };
  return /^-./.test(format.value) || SETS_BY_FORMAT.test(format.value)
    ? { opaque: NAMES_VARIABLE }
    : saysWhatIsWritten(call, context);
};

/** `test "$x" = y` has no effect, whatever `$x` is. `test -v 'a[$(cmd)]'` runs what is in the brackets, and an unknown word may be the `-v`. */
const lookIntoTest: Look = (call, context): Findings => {
  const inside = call.words.slice(1, call.words[0]?.value === '[' ? -1 : undefined);
  const unknown = inside.filter((word) => word.value === undefined);
  const isOdd = inside.some((word) => /^-[vR]$|\[/.test(word.value ?? '')) || unknown.some((word) => word.splits);
  if (isOdd || unknown.length > 1) return { opaque: NAMES_VARIABLE };
  const files = inside
    .filter((word, index) => word.value !== undefined && ABOUT_FILE.test(inside[index - 1]?.value ?? ''))
    .map((word): FileUse => ({ word, access: 'read', isTree: false }));
  return unknown.length === 1 ? { isHarmless: true, files } : { ...saysWhatIsWritten(call, context), files };
};

/** `exit 1`, `break 2`: a number, because some shells calculate what is given. */
const COUNTS: CommandProfile = {
  lookInstead: ({ words }) =>
    words.slice(1).every((word) => /^(?:\d+|"?\$\?"?)$/.test(word.text))
      ? { isHarmless: true }
      : { opaque: 'calculates with values that can hold commands' },
};

/** Options of these name variables or run commands: `wait -p name`, `jobs -x command`. */
const WITHOUT_OPTIONS: CommandProfile = {
  lookInstead: ({ words }) =>
    words.slice(1).every((word) => /^(?:%?\w+|"?\$!"?)$/.test(word.text))
      ? { isHarmless: true }
      : { opaque: NAMES_VARIABLE },
};

/** `jobs -l`: other options run commands. */
const JOBS: CommandProfile = {
  lookInstead: ({ words }) =>
    words.slice(1).every((word) => /^-[lprs]+$/.test(word.text))
      ? { isHarmless: true }
      : { opaque: 'can run commands' },
};

/** `export NAME=value`, `declare`, `local`, `readonly`. */
const lookIntoDeclaration: Look = ({ words }): Findings => {
  const rest = words.slice(1);
  const isPlain = rest.every((word) => word.value !== undefined && /^[A-Za-z_]\w*(?:=|$)/.test(word.value));
  if (!isPlain) return { opaque: 'declares variables in a way that is not looked into' };
  // What is exported counts for each program that comes after it; a name alone may export what nobody has seen.
  const changed = rest.filter((word) => {
    const [name = '', value] = (word.value ?? '').split(/=(.*)/s);
    return isHazardousVariable(name) || (words[0]?.value === 'export' && value === undefined);
  });
  return changed.length === 0
    ? { isHarmless: true }
    : { dangers: changed.map((word) => danger('changes what programs do', word)) };
};

const lookIntoRead: Look = ({ words }): Findings => {
  const isPlain = words
    .slice(1)
    .every(
      (word) =>
        word.value !== undefined && /^(?:-r|-s|[A-Za-z_]\w*)$/.test(word.value) && !isHazardousVariable(word.value),
    );
  return isPlain ? { isHarmless: true } : { opaque: 'reads into variables in a way that is not looked into' };
};

const lookIntoSet: Look = ({ words }): Findings => {
  const isPlain = words
    .slice(1)
    .every((word) => /^(?:[-+][euxEo]+|pipefail|errexit|nounset|xtrace)$/.test(word.value ?? ''));
  return isPlain && words.length > 1 ? { isHarmless: true } : { opaque: 'changes how the shell reads what follows' };
};

/** `eval words`: the words are put together and read again. */
const lookIntoEval: Look = ({ words }, context): Findings => {
  const rest = words.slice(1);
  if (rest.some((word) => word.value === undefined)) return { opaque: 'runs text that is only known then' };
  const text = rest.map((word) => word.value).join(' ');
  const script: ShellWord = { text, value: text, glob: [], splits: false };
  return { inner: { parts: readInnerScript(context, script, 'the shell'), needs: 'inner', program: rest.slice(0, 1) } };
};

const SOURCE: CommandProfile = {
  operands: { first: 'read', rest: 'text' },
  look: ({ operands }) => {
    const [file] = operands;
    if (isInput(file)) return { opaque: 'runs commands from its input' };
    return file && !file.value?.includes('/') ? { dangers: [danger('is looked for in the PATH first', file)] } : {};
  },
};

/** Tests of `test` that look at a file. */
const ABOUT_FILE = /^-(?:[abcdefghkLNOGprsSuwx]|nt|ot|ef)$/;
/** `%n`, with whatever stands between the two. */
const SETS_BY_FORMAT = /%[-+ #0-9.*hlLjztq']*n/;

const opaque = (because: string): CommandProfile => ({ lookInstead: () => ({ opaque: because }) });

/** What the shell does itself. `cd` is handled where folders are followed. */
export const BUILTINS: Readonly<Record<string, CommandProfile>> = {
  true: HARMLESS,
  false: HARMLESS,
  ':': HARMLESS,
  echo: HARMLESS,
  printf: { operands: 'text', isOpen: true, look: lookIntoPrintf },
  test: { operands: 'text', isOpen: true, look: lookIntoTest },
  '[': { operands: 'text', isOpen: true, look: lookIntoTest },
  pwd: HARMLESS,
  exit: COUNTS,
  return: COUNTS,
  break: COUNTS,
  continue: COUNTS,
  shift: COUNTS,
  wait: WITHOUT_OPTIONS,
  jobs: JOBS,
  sleep: HARMLESS,
  times: HARMLESS,
  export: { lookInstead: lookIntoDeclaration },
  declare: { lookInstead: lookIntoDeclaration },
  typeset: { lookInstead: lookIntoDeclaration },
  local: { lookInstead: lookIntoDeclaration },
  readonly: { lookInstead: lookIntoDeclaration },
  read: { lookInstead: lookIntoRead },
  set: { lookInstead: lookIntoSet },
  eval: { lookInstead: lookIntoEval },
  source: SOURCE,
  '.': SOURCE,
  trap: opaque('sets commands to run later'),
  alias: opaque('changes what a command name means'),
  unalias: opaque('changes what a command name means'),
  hash: opaque('changes what a command name means'),
  enable: opaque('changes what a command name means'),
  unset: opaque('removes variables or functions'),
  shopt: opaque('changes how the shell reads what follows'),
  setopt: opaque('changes how the shell reads what follows'),
  emulate: opaque('changes how the shell reads what follows'),
  let: opaque('calculates with values that can hold commands'),
  mapfile: opaque('can run commands for every line'),
  readarray: opaque('can run commands for every line'),
  getopts: opaque('sets variables'),
  bind: opaque('sets commands to run later'),
  complete: opaque('sets commands to run later'),
  compgen: opaque('can run commands'),
  fc: opaque('runs commands from the history'),
  history: opaque('reads and writes the history'),
  zmodload: opaque('loads code into the shell'),
  autoload: opaque('loads code into the shell'),
  function: opaque('defines a function'),
};
