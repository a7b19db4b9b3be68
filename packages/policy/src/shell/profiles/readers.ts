import { danger } from '../arguments/dangers.ts';
import {
  each,
  FOLLOWS,
  flag,
  NAMES,
  READ,
  READS_SETTINGS,
  RUNS,
  switches,
  TEXT,
  WRITE,
  words,
} from '../arguments/option-meanings.ts';
import type { Call, CommandProfile, Findings, Look } from '../arguments/profile.ts';

/** `uniq in out`: the second file is written, though the program is for reading. */
const writesSecond: Look = ({ operands }) => ({
  files: operands
    .slice(1, 2)
    .map((word) => ({ word, access: 'write', isTree: false, besides: danger('is a file that it writes', word) })),
});

/** `strings @list`: the file is read for more arguments. */
export const withoutArgumentFiles = ({ operands }: Call): Findings => ({
  dangers: operands
    .filter((word) => word.value?.startsWith('@'))
    .map((word) => danger('is a file of further arguments', word)),
});

const SUMS: CommandProfile = {
  operands: 'read',
  options: {
    ...switches(
      '-btzwsq --binary --text --zero --tag --quiet --status --strict --warn --ignore-missing --raw --untagged',
    ),
    ...each('-a --algorithm -l --length', TEXT),
    ...each('-c --check', flag('reads the files that a list names')),
  },
};

const BASE: CommandProfile = {
  operands: 'read',
  options: {
    ...switches('-dDi --decode --ignore-garbage'),
    ...each('-w --wrap -b --break', TEXT),
    ...each('-o --output', WRITE),
    '--input': READ,
  },
};

/** Everyday programs that look at files and print what they find. */
export const READERS: Readonly<Record<string, CommandProfile>> = {
  cat: {
    operands: 'read',
    options: switches(
      '-AbeElnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting',
    ),
  },
  tac: { operands: 'read', options: { ...switches('-br --before --regex'), ...each('-s --separator', TEXT) } },
  nl: {
    operands: 'read',
    options: { ...each('-b -d -f -h -i -l -n -s -v -w', TEXT), ...switches('-p --no-renumber') },
  },
  head: {
    operands: 'read',
    options: {
      ...each('-n -c --lines --bytes', TEXT),
      ...switches('-qvz --quiet --silent --verbose --zero-terminated'),
    },
  },
  tail: {
    operands: 'read',
    options: {
      ...each('-n -c -s -b --lines --bytes --pid --sleep-interval --max-unchanged-stats', TEXT),
      ...switches('-fFqrvz --follow --retry --quiet --silent --verbose --zero-terminated'),
    },
  },
  wc: {
    operands: 'read',
    options: {
      ...switches('-cmlLw --bytes --chars --lines --max-line-length --words --total'),
      '--files0-from': NAMES,
    },
  },
  stat: {
    operands: 'read',
    options: {
      ...each('-c --format --printf --cached', TEXT),
      ...switches('-Lftxsrnq --dereference --file-system --terse'),
    },
  },
  file: {
    operands: 'read',
    options: {
      ...switches(
        '-bdEhiIkLlnNprsSvzZ0 --brief --mime --mime-type --mime-encoding --keep-going --dereference --no-dereference --print0 ' +
          '--raw --extension --uncompress --no-pad --no-buffer --exclude-quiet --preserve-date --special-files',
      ),
      ...each('-F -e -P --separator --exclude --parameter', TEXT),
      ...each('-m --magic-file', READS_SETTINGS),
      ...each('-f --files-from', NAMES),
      ...each('-C --compile', flag('writes a file')),
    },
  },
  cut: {
    operands: 'read',
    options: {
      ...each('-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter', TEXT),
      ...switches('-nsz --complement --only-delimited --zero-terminated'),
    },
  },
  comm: {
    operands: 'read',
    options: {
      ...each('--output-delimiter', TEXT),
      ...switches('-iz --check-order --nocheck-order --total --zero-terminated'),
    },
  },
  cmp: {
    operands: 'read',
    options: {
      ...each('-i -n --ignore-initial --bytes', TEXT),
      ...switches('-bls --print-bytes --verbose --quiet --silent'),
    },
  },
  // Of two folders it compares what is in them, behind links too.
  diff: {
    operands: 'read',
    isTree: true,
    follows: true,
    options: {
      ...switches(
        '-abBcdeEfHinNpqstTuwyZ --brief --unified --context --normal --side-by-side --color --new-file --unidirectional-new-file ' +
          '--ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space ' +
          '--ignore-tab-expansion --strip-trailing-cr --minimal --no-dereference --text --ed --rcs --report-identical-files ' +
          '--show-c-function --suppress-common-lines --left-column --speed-large-files --expand-tabs --initial-tab ' +
          '--suppress-blank-empty --ignore-file-name-case --no-ignore-file-name-case',
      ),
      ...each(
        '-U -C -W -I -F -x -S -D --width --exclude --ignore-matching-lines --label -L --show-function-line',
        TEXT,
      ),
      ...each('--starting-file --ifdef --palette --horizon-lines --tabsize --line-format --old-line-format', TEXT),
      ...each('--new-line-format --unchanged-line-format --old-group-format --new-group-format', TEXT),
      ...each('--unchanged-group-format --changed-group-format', TEXT),
      ...each('-X --exclude-from', READ),
      ...each('-l --paginate', flag('runs another program')),
      ...each('-r --recursive', FOLLOWS),
    },
  },
  paste: {
    operands: 'read',
    options: { ...each('-d --delimiters', TEXT), ...switches('-sz --serial --zero-terminated') },
  },
  join: {
    operands: 'read',
    options: {
      ...each('-1 -2 -a -e -j -o -t -v', TEXT),
      ...switches('-iz --ignore-case --check-order --nocheck-order --header --zero-terminated'),
    },
  },
  fold: {
    operands: 'read',
    options: { ...each('-w --width', TEXT), ...switches('-bcs --bytes --spaces --characters') },
  },
  fmt: { operands: 'read', options: { ...each('-w -g -p --width --goal --prefix', TEXT), ...switches('-cstu') } },
  expand: { operands: 'read', options: { ...each('-t --tabs', TEXT), ...switches('-i --initial') } },
  unexpand: { operands: 'read', options: { ...each('-t --tabs', TEXT), ...switches('-a --all --first-only') } },
  rev: { operands: 'read', options: switches('--zero') },
  column: {
    operands: 'read',
    options: {
      ...each(
        '-c -s -N -o -R -H -O -T -W -E -l -p -i -r -C --columns --separator --table-columns --output-separator',
        TEXT,
      ),
      ...each('--table-right --table-hide --table-order --table-truncate --table-wrap --table-name', TEXT),
      ...switches('-tJxdeLm --table --json --fillrows --table-noheadings --keep-empty-lines'),
    },
  },
  od: {
    operands: 'read',
    options: {
      ...each('-A -j -N -S -t --address-radix --skip-bytes --read-bytes --strings --format --endian', TEXT),
      ...switches('-abBcdDeFfhHiIlLoOsvwxX --output-duplicates --width --traditional'),
    },
  },
  hexdump: { operands: 'read', options: { ...each('-e -n -s', TEXT), '-f': READ, ...switches('-bcCdovx') } },
  hd: { operands: 'read', options: { ...each('-e -n -s', TEXT), '-f': READ, ...switches('-bcCdovx') } },
  strings: {
    operands: 'read',
    options: {
      ...each('-n -t -e -T -s -U --bytes --radix --encoding --target --output-separator --unicode', TEXT),
      ...switches('-adfow --all --data --print-file-name --include-all-whitespace'),
    },
    look: withoutArgumentFiles,
  },
  md5sum: SUMS,
  sha1sum: SUMS,
  sha224sum: SUMS,
  sha256sum: SUMS,
  sha384sum: SUMS,
  sha512sum: SUMS,
  b2sum: SUMS,
  cksum: SUMS,
  shasum: SUMS,
  md5: { operands: 'read', options: { ...each('-s -c', TEXT), ...switches('-npqrtx') } },
  base64: BASE,
  base32: BASE,
  readlink: {
    operands: 'read',
    options: switches('-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --zero'),
  },
  realpath: {
    operands: 'read',
    options: {
      ...each('--relative-to --relative-base', TEXT),
      ...switches(
        '-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks',
      ),
    },
  },
  uniq: {
    operands: { rest: 'read', last: 'write' },
    look: writesSecond,
    options: {
      ...each('-f -s -w --skip-fields --skip-chars --check-chars', TEXT),
      ...switches('-cdDiuz --count --repeated --all-repeated --ignore-case --unique --group --zero-terminated'),
    },
  },
  sort: {
    operands: 'read',
    options: {
      ...switches(
        '-bdfgGhiMnRrVcCmsuz --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort ' +
          '--ignore-nonprinting --month-sort --numeric-sort --random-sort --reverse --version-sort --check --merge --stable ' +
          '--unique --zero-terminated --debug',
      ),
      ...each('-k -t -S --key --field-separator --buffer-size --parallel --batch-size --sort', TEXT),
      ...each('-o --output -T --temporary-directory', WRITE),
      '--compress-program': RUNS,
      '--files0-from': NAMES,
      '--random-source': READ,
    },
  },
  // Options end at the first file; a second one is written, whatever its name.
  xxd: {
    style: 'words',
    stopsAtOperand: true,
    operands: { rest: 'read', last: 'write' },
    look: writesSecond,
    options: {
      ...each('-c -cols -g -groupsize -l -len -s -seek -o -offset -n -name', TEXT),
      ...words(
        '-a -autoskip -b -bits -C -capitalize -d -e -E -EBCDIC -i -include -p -ps -plain -postscript -u -upper -v',
      ),
      ...each('-r -revert', flag('writes what the dump says')),
    },
  },
};
