import type { Danger, FileUse } from '../analysis.ts';
import { danger, UNKNOWN_ARGUMENT, wholeDanger } from '../arguments/dangers.ts';
import { each, READ, switches, TEXT } from '../arguments/option-meanings.ts';
import type { CommandProfile, Findings, Look } from '../arguments/profile.ts';
import { mayBeOption } from '../arguments/scan.ts';
import type { ShellWord } from '../words/shell-word.ts';
import { isFilterInJq } from './languages/jq.ts';

const SAYS: CommandProfile = { operands: 'text', isOpen: true };

/** `date +%s` prints; any other operand sets the clock. */
const lookIntoDate: Look = ({ operands }) => ({
  dangers: operands.filter((word) => !word.value?.startsWith('+')).map((word) => danger('sets the clock', word)),
});

/** `ps` in the forms of every day. In others an `e` prints the variables of programs, which may be secret. */
const lookIntoPs: Look = ({ words }) => ({
  dangers: words
    .slice(1)
    .filter((word, index) => !isPsForm(word.value, words[index]?.value))
    .map((word) => danger('is not one of the forms that print no variables', word)),
});

function isPsForm(value: string | undefined, before: string | undefined): boolean {
  if (value === undefined) return false;
  if (/^-(?:e?o|O)$/.test(before ?? '')) return PS_COLUMNS.test(value);
  if (/^-[pCuUtG]$|^--(?:pid|ppid|user|sort)$/.test(before ?? '')) return /^[\w,.%+-]+$/.test(value);
  return PS_WORDS.test(value);
}

const PS_WORDS =
  /^(?:a?u?x?f?w{0,2}|-e|-A|-f|-F|-l|-ef|-eF|-efl|-elf|-ef[wH]w?|-e?o|-O|-[pCuUtG]|--(?:pid|ppid|user|sort)(?:=[\w,.%+-]+)?|--forest|--no-headers?|--headers?)$/;
const PS_COLUMNS =
  /^(?:(?:pid|ppid|pgid|sid|user|uid|group|comm|args|cmd|command|stat|state|etime|etimes|time|start|lstart|rss|vsz|sz|%?cpu|%?mem|pcpu|pmem|nice|ni|pri|psr|tty|tt|nlwp|wchan)(?:=\w*)?,?)+$/;

/** `jq`: the program must be one that only selects and calculates. */
const lookIntoJq: Look = ({ words }): Findings => {
  const files: FileUse[] = [];
  const dangers: Danger[] = [];
  let program: ShellWord | undefined;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value;
    if (word === undefined) break;
    if (/^--arg(?:json)?$/.test(value ?? '')) index += 2;
    else if (value === '--indent') index += 1;
    else if (/^--(?:slurpfile|rawfile)$/.test(value ?? '')) {
      index += 2;
      const file = words[index];
      if (file) files.push({ word: file, access: 'read', isTree: false });
    } else if (value?.startsWith('-') && value !== '-') {
      if (!JQ_SWITCH.test(value)) dangers.push(danger('is not an option known to be harmless', word));
    } else if (program === undefined) {
      program = word;
      if (!isFilterInJq(value)) dangers.push(danger('is a program that can read the environment or other files', word));
    } else if (value !== '-') {
      files.push({ word, access: 'read', isTree: false });
      if (mayBeOption(word)) dangers.push(danger(UNKNOWN_ARGUMENT, word));
    }
  }
  return { files, dangers };
};

const JQ_SWITCH =
  /^(?:-[acCehjMnrRsS]+|--(?:ascii-output|compact-output|color-output|exit-status|join-output|monochrome-output|null-input|raw-output0?|raw-input|slurp|sort-keys|tab|seq|stream|unbuffered|version|help))$/;

/** Everyday programs that look at text or the machine and name no files. */
export const SYSTEM_TOOLS: Readonly<Record<string, CommandProfile>> = {
  tr: { operands: 'text', options: switches('-cCdst --complement --delete --squeeze-repeats --truncate-set1') },
  seq: {
    operands: 'text',
    options: { ...each('-f -s -t --format --separator', TEXT), ...switches('-w --equal-width') },
  },
  basename: { operands: 'text', options: { ...each('-s --suffix', TEXT), ...switches('-az --multiple --zero') } },
  dirname: { operands: 'text', options: switches('-z --zero') },
  expr: SAYS,
  date: {
    operands: 'text',
    options: {
      ...each('-d --date -v --rfc-3339 --iso-8601', TEXT),
      ...each('-f --file -r --reference', READ),
      ...each('-s --set', { value: 'text', danger: 'sets the clock' }),
      ...switches('-IjnRu --rfc-email --rfc-2822 --universal --utc --debug --resolution'),
    },
    look: lookIntoDate,
  },
  uname: {
    operands: 'text',
    options: switches('-amnoprsiv --all --kernel-name --machine --nodename --kernel-release'),
  },
  whoami: { operands: 'text', options: {} },
  id: { operands: 'text', options: switches('-aAFgGnpPruzZ --user --group --groups --name --real --zero') },
  uptime: { operands: 'text', options: switches('-ps --pretty --since') },
  nproc: { operands: 'text', options: { ...switches('--all'), '--ignore': TEXT } },
  arch: { operands: 'text', options: {} },
  which: { operands: 'text', options: switches('-as --all') },
  type: { operands: 'text', options: switches('-aftpP') },
  whereis: { operands: 'text', options: switches('-bmsul') },
  ps: { lookInstead: lookIntoPs },
  printenv: { operands: 'text', look: () => ({ dangers: [wholeDanger('prints variables, which may be secret')] }) },
  pgrep: {
    operands: 'text',
    options: {
      ...each('-d -g -G -P -s -t -u -U --delimiter --parent --euid --uid --group --pgroup --session --terminal', TEXT),
      ...switches(
        '-acfilnovwx --list-name --list-full --full --newest --oldest --exact --count --inverse --ignore-case',
      ),
    },
  },
  lsof: {
    operands: 'text',
    options: { ...each('-i -p -u -c -d -g -F -s', TEXT), ...switches('-alnPRtTUVw') },
  },
  free: {
    operands: 'text',
    options: { ...each('-s -c', TEXT), ...switches('-bghklmtwv --human --wide --total --si --mega') },
  },
  tput: { operands: 'text', options: {} },
  kill: {
    operands: 'text',
    isOpen: true,
    options: each('-s -n', TEXT),
    look: ({ words }) => ({
      dangers: words
        .slice(1)
        .filter(({ value = '-1' }, index) => (index > 0 || value === '-1') && /^-\d/.test(value))
        .map((word) => danger('stops whole groups of programs', word)),
    }),
  },
  pkill: SAYS,
  killall: SAYS,
  jq: { lookInstead: lookIntoJq },
};
