import { STAR, textGlob } from '../../glob.ts';
import type { Danger } from '../analysis.ts';
import { danger, wholeDanger } from '../arguments/dangers.ts';
import { each, FOLLOWS, flag, READ, RUNS, switches, TARGET, TEXT, TREE } from '../arguments/option-meanings.ts';
import type { Call, CommandProfile, Look } from '../arguments/profile.ts';
import type { ShellWord } from '../words/shell-word.ts';

/** `-S .json` makes `.mcp.json` of a file `.mcp`: the name of a backup is chosen on the line. */
const SUFFIX = each('-S --suffix', { value: 'text', danger: 'writes a file of another name' });

/** `cp -r evil/. .` and `cp -rT evil .` put what is in a folder beside other files, under names nobody has seen. */
const copiesInto: Look = (call) => ({ dangers: unseenNames(call) });

export function unseenNames({ operands, options }: Call): readonly Danger[] {
  const isTree = options.some(({ name }) => /^(?:-[rRa]|--(?:recursive|archive))/.test(name));
  if (!isTree) return [];
  const merges = options.some(({ name }) => name === '-T' || name.startsWith('--no-target'));
  const dots = operands.filter((word) => /(?:^|\/)\.{1,2}\/*$/.test(word.value ?? '')).slice(0, 1);
  const isSource = dots[0] !== undefined && dots[0] !== operands.at(-1);
  if (merges) return [wholeDanger('copies names that are only known when it runs')];
  return isSource ? dots.map((word) => danger('copies names that are only known when it runs', word)) : [];
}

/**
 * `ln -s target name`: a link that climbs, or that stands in another folder than it was judged from, leads elsewhere than it seems;
 * what comes later in the line would follow it before anyone has looked.
 */
const lookIntoLink: Look = ({ operands, options }) => {
  const isPlain =
    operands.length === 2 &&
    options.every(({ name }) => /^-[sfvn]$|^--(?:symbolic|force|verbose|no-dereference)$/.test(name)) &&
    /^(?!\.?\/*$)(?!.*(?:^|\/)\.\.(?:\/|$))/.test(operands[0]?.value ?? '') &&
    /^[^/]+$/.test(operands[1]?.value ?? '/');
  return { dangers: isPlain ? [] : [danger('makes a link that may lead elsewhere', ...operands.slice(0, 2))] };
};

/** `split file prefix`: names go on from the prefix, `.bash` to `.bashrc`. */
const writesPrefix: Look = ({ operands }) => ({
  files: operands.slice(1, 2).map((word) => ({
    word: word.value === undefined ? word : { ...word, value: undefined, glob: [...textGlob(word.value), STAR] },
    access: 'write',
    isTree: false,
  })),
});

const MODES = switches('-cfvrwxXstugoa --changes --silent --quiet --verbose --preserve-root');

/** Everyday programs that change files. */
export const WRITERS: Readonly<Record<string, CommandProfile>> = {
  mkdir: {
    operands: 'write',
    options: { ...each('-m --mode', TEXT), ...switches('-pvZ --parents --verbose --context') },
  },
  rmdir: { operands: 'write', options: switches('-pv --parents --verbose --ignore-fail-on-non-empty') },
  touch: {
    operands: 'write',
    options: {
      ...each('-d -t --date --time', TEXT),
      ...each('-r --reference', READ),
      ...switches('-acfhm --no-create --no-dereference'),
    },
  },
  rm: {
    operands: 'write',
    options: {
      ...each('-r -R --recursive -d --dir', TREE),
      ...switches('-fiIvx --force --interactive --verbose --one-file-system --preserve-root'),
    },
  },
  unlink: { operands: 'write', options: {} },
  cp: {
    operands: { rest: 'read', last: 'write' },
    lastIsTarget: true,
    options: {
      ...each('-t --target-directory', TARGET),
      ...SUFFIX,
      ...each('-r -R -a --recursive --archive', TREE),
      ...each('-L -H --dereference', { follows: true }),
      ...switches(
        '-bdfilnpPsTuvxZ --backup --force --interactive --no-clobber --update --verbose --preserve --no-preserve --no-dereference ' +
          '--one-file-system --parents --attributes-only --sparse --reflink --remove-destination --strip-trailing-slashes ' +
          '--no-target-directory --debug',
      ),
      ...each('-s -l --symbolic-link --link', flag('makes links')),
    },
    look: copiesInto,
  },
  mv: {
    operands: 'move',
    isTree: true,
    lastIsTarget: true,
    options: {
      ...each('-t --target-directory', TARGET),
      ...SUFFIX,
      ...switches(
        '-bfinuvTZ --backup --force --interactive --no-clobber --update --verbose --no-target-directory --strip-trailing-slashes',
      ),
    },
  },
  ln: {
    operands: 'move',
    options: {
      ...each('-t --target-directory', TARGET),
      ...SUFFIX,
      ...switches('-bfhinrsvT --symbolic --force --verbose --no-dereference --relative --backup --interactive'),
    },
    look: lookIntoLink,
  },
  install: {
    operands: { rest: 'read', last: 'write' },
    lastIsTarget: true,
    options: {
      ...each('-m -o -g --mode --owner --group', TEXT),
      ...SUFFIX,
      ...each('-t --target-directory', TARGET),
      '--strip-program': RUNS,
      ...switches('-bcCdDpvTZ --backup --compare --directory --preserve-timestamps --verbose --no-target-directory'),
    },
  },
  chmod: {
    operands: { first: 'text', rest: 'write' },
    options: { '--reference': READ, ...each('-R --recursive', TREE), ...each('-L -H', FOLLOWS), ...MODES },
  },
  chown: {
    operands: { first: 'text', rest: 'write' },
    options: { '--reference': READ, ...each('-R --recursive', TREE), ...each('-L -H', FOLLOWS), ...switches('-cfhPv') },
  },
  chgrp: {
    operands: { first: 'text', rest: 'write' },
    options: { '--reference': READ, ...each('-R --recursive', TREE), ...each('-L -H', FOLLOWS), ...switches('-cfhPv') },
  },
  truncate: {
    operands: 'write',
    options: {
      ...each('-s --size', TEXT),
      ...each('-r --reference', READ),
      ...switches('-co --no-create --io-blocks'),
    },
  },
  shred: {
    operands: 'write',
    options: {
      ...each('-n -s --iterations --size', TEXT),
      '--random-source': READ,
      ...switches('-fuvxz --force --remove --verbose --exact --zero'),
    },
  },
  tee: { operands: 'write', options: switches('-aip --append --ignore-interrupts --output-error') },
  split: {
    operands: { first: 'read', rest: 'text' },
    options: {
      ...each('-a -b -C -l -n -t --suffix-length --lines --bytes --line-bytes --number --separator', TEXT),
      '--filter': RUNS,
      '--additional-suffix': { value: 'text', danger: 'writes files of another name' },
      ...switches('-dexu --numeric-suffixes --hex-suffixes --elide-empty-files --verbose --unbuffered'),
    },
    look: writesPrefix,
  },
  csplit: {
    operands: { first: 'read', rest: 'text' },
    options: {
      ...each('-f --prefix -b --suffix-format', { value: 'text', danger: 'writes files of another name' }),
      ...each('-n --digits', TEXT),
      ...switches('-ksqz --keep-files --silent --quiet --elide-empty-files --suppress-matched'),
    },
  },
  dd: {
    lookInstead: ({ words }) => ({
      files: words.slice(1).map((word) => ({
        word: ddFile(word),
        access: word.value?.startsWith('if=') ? 'read' : 'write',
        isTree: false,
      })),
    }),
  },
  patch: {
    operands: 'write',
    options: {
      ...each('-p -F -d --strip --directory', TEXT),
      ...each('-i --input', READ),
      ...each('-o --output -r --reject-file', TARGET),
      ...each('-e --ed', flag('runs an editor script')),
    },
    look: () => ({ dangers: [wholeDanger('changes the files that its input names')] }),
  },
};

function ddFile(word: ShellWord): ShellWord {
  const value = word.value?.replace(/^[io]f=/, '');
  if (value === undefined) return word;
  return /^[io]f=/.test(word.value ?? '') ? { ...word, value } : { ...word, value: '/dev/null' };
}
