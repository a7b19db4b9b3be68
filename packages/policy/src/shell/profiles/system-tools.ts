import { danger, wholeDanger } from '../arguments/dangers.ts';
import { each, LOADS, READ, switches, TEXT } from '../arguments/option-meanings.ts';
import type { CommandProfile, Look } from '../arguments/profile.ts';

const SAYS: CommandProfile = { operands: 'text', isOpen: true };

/** `date +%s` prints; any other operand sets the clock. */
const lookIntoDate: Look = ({ operands }) => ({
  dangers: operands.filter((word) => !word.value?.startsWith('+')).map((word) => danger('sets the clock', word)),
});

/** `ps e` and formats with "env" print the variables of programs, which may be secret. */
const lookIntoPs: Look = ({ words, operands }) => ({
  dangers: [
    ...operands.filter((word) => /e/.test(word.value ?? 'e')),
    ...words.filter((word) => /env/i.test(word.value ?? '')),
  ].map((word) => danger('prints the variables of programs', word)),
});

/** `jq` programs that read files or the environment. */
const lookIntoJq: Look = ({ words }) => ({
  dangers: words
    .filter(
      (word) => word.value === undefined || /\benv\b|\$ENV|\b(?:import|include|input_filename)\b/.test(word.value),
    )
    .map((word) => danger('can read the environment or other files', word)),
});

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
  ps: {
    operands: 'text',
    options: {
      ...each(
        '-o -O -p -q -u -U -C -t -g -G -s -k --format --pid --ppid --user --sort --group --tty --cols --columns',
        TEXT,
      ),
      ...switches('-AacdefFHjlLmMNrTVwxXyZ --deselect --forest --headers --no-headers'),
    },
    look: lookIntoPs,
  },
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
        .slice(2)
        .filter((word) => /^-\d/.test(word.value ?? '-1'))
        .map((word) => danger('stops whole groups of programs', word)),
    }),
  },
  pkill: SAYS,
  killall: SAYS,
  jq: {
    operands: 'touch',
    options: {
      ...each('-L -f --from-file --library-path', LOADS),
      ...each('--indent --arg --argjson --slurpfile --rawfile', TEXT),
      ...switches(
        '-acCehjMnrRsS --ascii-output --compact-output --color-output --exit-status --join-output --monochrome-output ' +
          '--null-input --raw-output --raw-output0 --raw-input --slurp --sort-keys --tab --seq --stream --stream-errors ' +
          '--unbuffered --args --jsonargs',
      ),
    },
    look: lookIntoJq,
  },
};
