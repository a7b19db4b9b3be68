import {
  type CommandProfile,
  danger,
  each,
  flag,
  LOADS,
  type Look,
  READ,
  RUNS,
  TARGET,
  TEXT,
  TREE,
  WRITE,
  wholeDanger,
} from '../profile.ts';
import type { ShellWord } from '../word.ts';

/** `uniq in out`: the second file is written, though the program is for reading. */
const writesSecond: Look = ({ operands }) => ({
  files: operands
    .slice(1, 2)
    .map((word) => ({ word, access: 'write', isTree: false, besides: danger('is a file that it writes', word) })),
});

const READS: CommandProfile = { operands: 'read' };
const WRITES: CommandProfile = { operands: 'write' };
const SAYS: CommandProfile = { operands: 'text' };

/** Everyday programs that look at files, text or the machine. */
export const READERS: Readonly<Record<string, CommandProfile>> = {
  cat: READS,
  tac: READS,
  nl: { operands: 'read', options: each('-b -d -f -h -i -l -n -s -v -w', TEXT) },
  head: { operands: 'read', options: each('-n -c --lines --bytes', TEXT) },
  tail: { operands: 'read', options: each('-n -c -s --lines --bytes --pid --sleep-interval', TEXT) },
  wc: { operands: 'read', options: each('--files0-from', READ) },
  ls: { operands: 'read', options: each('-I -T -w --ignore --hide --time-style --sort --format', TEXT) },
  dir: READS,
  stat: { operands: 'read', options: each('-c --format --printf', TEXT) },
  file: {
    operands: 'read',
    options: { ...each('-m --magic-file -f --files-from', READ), '-C': flag('writes a file'), '-z': {}, '-F': TEXT },
  },
  du: {
    operands: 'read',
    options: {
      ...each('-d -B -t --max-depth --block-size --exclude --threshold', TEXT),
      ...each('--files0-from -X --exclude-from', READ),
    },
  },
  df: { operands: 'read', options: each('-B -t -x --block-size --type', TEXT) },
  tree: {
    operands: 'read',
    options: {
      ...each('-L -P -I -H -T --filelimit --timefmt --charset --sort', TEXT),
      '-o': WRITE,
      '-R': flag('writes files'),
      '--fromfile': {},
    },
  },
  cut: {
    operands: 'read',
    options: each('-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter', TEXT),
  },
  comm: { operands: 'read', options: each('--output-delimiter', TEXT) },
  cmp: { operands: 'read', options: each('-i -n --ignore-initial --bytes', TEXT) },
  diff: {
    operands: 'read',
    options: {
      ...each('-U -C -W -I -F -x --width --exclude --ignore-matching-lines --label', TEXT),
      ...each('-X --exclude-from --from-file --to-file', READ),
      ...each('-r --recursive', TREE),
    },
  },
  paste: { operands: 'read', options: each('-d --delimiters', TEXT) },
  join: { operands: 'read', options: each('-1 -2 -a -e -j -o -t -v', TEXT) },
  fold: { operands: 'read', options: each('-w --width', TEXT) },
  expand: { operands: 'read', options: each('-t --tabs', TEXT) },
  unexpand: { operands: 'read', options: each('-t --tabs', TEXT) },
  rev: READS,
  column: {
    operands: 'read',
    options: each('-c -s -N -o -R -H -O --columns --separator --table-columns --output-separator', TEXT),
  },
  od: { operands: 'read', options: each('-A -j -N -S -t', TEXT) },
  hexdump: { operands: 'read', options: { ...each('-e -n -s', TEXT), '-f': READ } },
  strings: { operands: 'read', options: each('-n -t -e --bytes', TEXT) },
  md5sum: READS,
  sha1sum: READS,
  sha256sum: READS,
  sha512sum: READS,
  cksum: READS,
  shasum: { operands: 'read', options: each('-a --algorithm', TEXT) },
  base64: { operands: 'read', options: each('-w --wrap', TEXT) },
  readlink: READS,
  realpath: { operands: 'read', options: each('--relative-to --relative-base', TEXT) },
  uniq: {
    operands: { rest: 'read', last: 'write' },
    look: writesSecond,
    options: each('-f -s -w --skip-fields --skip-chars --check-chars', TEXT),
  },
  sort: {
    operands: 'read',
    options: {
      ...each('-k -t -S --key --field-separator --buffer-size --parallel --batch-size --sort', TEXT),
      ...each('-o --output -T --temporary-directory', WRITE),
      '--compress-program': RUNS,
      '--files0-from': READ,
      '--random-source': READ,
    },
  },
  tr: SAYS,
  seq: { operands: 'text', options: each('-f -s -w --format --separator', TEXT) },
  basename: { operands: 'text', options: each('-s --suffix', TEXT) },
  dirname: SAYS,
  expr: SAYS,
  date: {
    operands: 'text',
    options: {
      ...each('-d --date', TEXT),
      ...each('-f --file -r --reference', READ),
      ...each('-s --set', { value: 'text', danger: 'sets the clock' }),
    },
  },
  uname: SAYS,
  whoami: SAYS,
  id: SAYS,
  uptime: SAYS,
  nproc: SAYS,
  arch: SAYS,
  which: SAYS,
  type: SAYS,
  whereis: SAYS,
  ps: {
    operands: 'text',
    options: each('-o -p -u -C -t --format --pid --user --sort', TEXT),
    look: ({ operands }) => ({
      dangers: operands
        .filter((word) => /e/.test(word.value ?? 'e'))
        .map((word) => danger('prints the variables of programs', word)),
    }),
  },
  printenv: { operands: 'text', look: () => ({ dangers: [wholeDanger('prints variables, which may be secret')] }) },
  pgrep: SAYS,
  lsof: { operands: 'text', options: each('-i -p -u -c', TEXT) },
  free: SAYS,
  jobs: SAYS,
  tput: SAYS,
  kill: {
    operands: 'text',
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
  md5: READS,
  xxd: { operands: { rest: 'read', last: 'write' }, look: writesSecond, options: each('-c -g -l -s -o -n', TEXT) },
  jq: {
    operands: 'touch',
    options: { ...each('-L -f --from-file', LOADS), '--indent': TEXT },
    look: ({ words }) => ({
      dangers: words
        .filter((word) => word.value === undefined || /\benv\b|\$ENV|\b(?:import|include)\b/.test(word.value))
        .map((word) => danger('can read the environment or other files', word)),
    }),
  },
};

/** Everyday programs that change files. */
export const WRITERS: Readonly<Record<string, CommandProfile>> = {
  mkdir: { operands: 'write', options: each('-m --mode', TEXT) },
  rmdir: WRITES,
  touch: { operands: 'write', options: { ...each('-d -t --date --time', TEXT), ...each('-r --reference', READ) } },
  rm: { operands: 'write', options: each('-r -R --recursive -d', TREE) },
  unlink: WRITES,
  cp: {
    operands: { rest: 'read', last: 'write' },
    lastIsTarget: true,
    options: {
      ...each('-t --target-directory', TARGET),
      ...each('-S --suffix', TEXT),
      ...each('-r -R -a --recursive --archive', TREE),
    },
  },
  mv: {
    operands: 'write',
    isTree: true,
    lastIsTarget: true,
    options: { ...each('-t --target-directory', TARGET), ...each('-S --suffix', TEXT) },
  },
  ln: { operands: 'write', options: { ...each('-t --target-directory', TARGET), ...each('-S --suffix', TEXT) } },
  install: {
    operands: { rest: 'read', last: 'write' },
    lastIsTarget: true,
    options: {
      ...each('-m -o -g -S --mode --owner --group --suffix', TEXT),
      ...each('-t --target-directory', TARGET),
      '--strip-program': RUNS,
    },
  },
  chmod: {
    operands: { first: 'text', rest: 'write' },
    options: { '--reference': READ, ...each('-R --recursive', TREE) },
  },
  chown: {
    operands: { first: 'text', rest: 'write' },
    options: { '--reference': READ, ...each('-R --recursive', TREE) },
  },
  truncate: { operands: 'write', options: { ...each('-s --size', TEXT), ...each('-r --reference', READ) } },
  shred: { operands: 'write', options: { ...each('-n -s --iterations --size', TEXT), '--random-source': READ } },
  tee: WRITES,
  split: {
    operands: { first: 'read', rest: 'write' },
    options: { ...each('-a -b -C -l -n -t --lines --bytes --number', TEXT), '--filter': RUNS },
  },
  csplit: { operands: { first: 'read', rest: 'text' }, options: each('-f --prefix', TARGET) },
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
