import { isHarmlessSetting, isHazardousVariable } from '../environment.ts';
import { readInnerScript } from '../inner.ts';
import { type CommandProfile, danger, type Findings, type Look } from '../profile.ts';
import type { ShellWord } from '../word.ts';
import { isInput } from './interpreters.ts';

/** Does nothing but say or test what is written; `$?` counts as written. */
const saysWhatIsWritten: Look = ({ words }) => ({ isHarmless: words.every(isWritten) });

function isWritten(word: ShellWord): boolean {
  return word.value !== undefined || /^[^$`]*\$\?[^$`]*$/.test(word.text);
}

const HARMLESS: CommandProfile = { operands: 'text', look: saysWhatIsWritten };

/** `printf -v 'a[$(cmd)]'` and `test -v 'a[$(cmd)]'` run what is in the brackets. */
const withoutIndex: Look = (call, context): Findings => {
  const indexes = call.words.filter((word) => (word.value === undefined ? false : /^-[vR]$/.test(word.value)));
  return indexes.length > 0
    ? { opaque: 'names a variable in a way that can run commands' }
    : saysWhatIsWritten(call, context);
};

/** `test "$x" = y` has no effect, whatever `$x` is; two unknown words could be `-v` and a name that runs. */
const lookIntoTest: Look = (call, context): Findings => {
  const unknown = call.words.filter((word) => word.value === undefined);
  if (unknown.length === 1 && !unknown[0]?.splits && !call.words.some((word) => word.value === '-v'))
    return { isHarmless: true };
  return withoutIndex(call, context);
};

/** `export NAME=value`, `declare`, `local`, `readonly`. */
const lookIntoDeclaration: Look = ({ words }): Findings => {
  const rest = words.slice(1);
  const isPlain = rest.every((word) => word.value !== undefined && /^[A-Za-z_]\w*(?:=|$)/.test(word.value));
  if (!isPlain) return { opaque: 'declares variables in a way that is not looked into' };
  const changed = rest.filter((word) => {
    const [name = '', value] = (word.value ?? '').split(/=(.*)/s);
    return words[0]?.value === 'export'
      ? value === undefined || !isHarmlessSetting(name, value)
      : isHazardousVariable(name);
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
  return { inner: { parts: readInnerScript(context, script, 'bash'), needs: 'inner', program: rest.slice(0, 1) } };
};

const SOURCE: CommandProfile = {
  operands: { first: 'read', rest: 'text' },
  look: ({ operands }) => (isInput(operands[0]) ? { opaque: 'runs commands from its input' } : {}),
};

const opaque = (because: string): CommandProfile => ({ lookInstead: () => ({ opaque: because }) });

/** What the shell does itself. `cd` is handled where folders are followed. */
export const BUILTINS: Readonly<Record<string, CommandProfile>> = {
  true: HARMLESS,
  false: HARMLESS,
  ':': HARMLESS,
  echo: HARMLESS,
  printf: { operands: 'text', look: withoutIndex },
  test: { operands: 'text', look: lookIntoTest },
  '[': { operands: 'text', look: lookIntoTest },
  pwd: HARMLESS,
  exit: HARMLESS,
  return: HARMLESS,
  break: HARMLESS,
  continue: HARMLESS,
  shift: HARMLESS,
  wait: HARMLESS,
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
