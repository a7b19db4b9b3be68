import { GLOBSTAR } from '../../glob.ts';
import type { FileUse } from '../analysis.ts';
import { readInnerScript } from '../arguments/inner.ts';
import type { CommandProfile, Findings, Look } from '../arguments/profile.ts';
import { outsideGrammar } from '../grammar.ts';
import { literalWord, type ShellWord } from '../words/shell-word.ts';

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

const lookIntoSet: Look = ({ words }): Findings => {
  const isPlain = words
    .slice(1)
    .every((word) => /^(?:[-+][euxEo]+|pipefail|errexit|nounset|xtrace)$/.test(word.value ?? ''));
  return isPlain && words.length > 1 ? { isHarmless: true } : { opaque: 'changes how the shell reads what follows' };
};

/** Tests of `test` that look at a file. */
const ABOUT_FILE = /^-(?:[abcdefghkLNOGprsSuwx]|nt|ot|ef)$/;
/** `%n`, with whatever stands between the two. */
const SETS_BY_FORMAT = /%[-+ #0-9.*hlLjztq']*n/;

/** `eval words` asks; deny rules hold for the commands that can be seen in its words. */
const lookIntoEval: Look = ({ words }, context): Findings => {
  const rest = words.slice(1);
  const because = outsideGrammar('command of the shell');
  if (rest.some((word) => word.value === undefined)) return { opaque: because };
  const script = literalWord(rest.map((word) => word.value).join(' '));
  const parts = readInnerScript(context, script, 'the shell');
  return {
    inner: { parts: [{ type: 'opaque', text: 'eval', because }, ...parts], needs: 'inner', program: rest.slice(0, 1) },
  };
};

const CHANGES_SHELL: CommandProfile = { lookInstead: () => ({ opaque: outsideGrammar('command of the shell') }) };

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
  set: { lookInstead: lookIntoSet },
  ...Object.fromEntries(
    (
      'export declare typeset local readonly read source . exec trap alias unalias hash enable unset shopt setopt unsetopt emulate let ' +
      'mapfile readarray getopts bind complete compgen compopt fc history zmodload autoload function builtin noglob nocorrect ulimit umask ' +
      'suspend caller disown logout dirs pushd popd chdir select coproc vared print integer float zparseopts sched'
    )
      .split(' ')
      .map((name) => [name, CHANGES_SHELL]),
  ),
  eval: { lookInstead: lookIntoEval },
};
