import type { FileUse } from '../analysis.ts';
import { danger, wholeDanger } from '../arguments/dangers.ts';
import {
  each,
  FOLLOWS,
  flag,
  NAMES,
  READ,
  RUNS,
  switches,
  TARGET,
  TEXT,
  TREE,
  WRITE,
} from '../arguments/option-meanings.ts';
import type { CommandProfile, Look } from '../arguments/profile.ts';

/** `tar`: listing is plain. Everything else writes what the archive or the line names, and a rule has to say so. */
const lookIntoTar: Look = ({ words }) => {
  const [, first, second] = words;
  // `host:file` is an archive on another machine.
  const isListing =
    LISTS.test(first?.value ?? '') &&
    !words.some((word) => word.value?.includes(':')) &&
    words.slice(2).every((word) => !/^-/.test(word.value ?? '-') || LIST_OPTION.test(word.value ?? ''));
  const files: FileUse[] =
    second && /f/.test(first?.value ?? '')
      ? [{ word: second, access: isListing ? 'read' : 'write', isTree: false }]
      : [];
  return {
    files,
    dangers: isListing || first === undefined ? [] : [danger('writes what the archive or the line names', first)],
  };
};

const LISTS = /^-?[vzjJa]*t[vzjJa]*f?$|^--list$/;
const LIST_OPTION = /^(?:-[vzjJa]*f?|--(?:verbose|gzip|bzip2|xz|zstd|wildcards|file(?:=.*)?|exclude=.*))$/;

const EXTRACTS: Look = () => ({ dangers: [wholeDanger('writes what the archive names')] });

/** A program that makes another file of each that it is given. */
function compressor(options: NonNullable<CommandProfile['options']>): CommandProfile {
  return {
    operands: 'move',
    options: {
      ...switches(
        '-cdefhklnNqtvVz --stdout --to-stdout --decompress --uncompress --force --keep --list --no-name --name --quiet --test ' +
          '--verbose --fast --best --compress --rsyncable --synchronous --ultra --long',
      ),
      ...each('-S --suffix', { value: 'text', danger: 'writes a file of another name' }),
      ...each('-r --recursive', TREE),
      ...options,
    },
  };
}

const GZIP = compressor({});

/** Programs that pack and unpack. What they pack they read. */
export const ARCHIVES: Readonly<Record<string, CommandProfile>> = {
  tar: {
    operands: 'read',
    isTree: true,
    options: {
      ...each(
        '-I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command',
        RUNS,
      ),
      ...each('-C --directory', TARGET),
      ...each('-T --files-from', NAMES),
      ...each('-X --exclude-from', READ),
      ...each('-P --absolute-names', flag('writes outside the folder')),
      ...each('-h --dereference', FOLLOWS),
      ...each('--checkpoint', flag('can run programs')),
      ...each('--exclude --strip-components --transform --xform --owner --group --mode --format', TEXT),
      ...switches(
        '-cfjJkpmrtuvwxzaOZ --create --extract --get --list --append --update --diff --verbose --file --gzip --bzip2 --xz --zstd ' +
          '--auto-compress --keep-old-files --overwrite --preserve-permissions --same-owner --no-same-owner --numeric-owner ' +
          '--wildcards --totals --to-stdout --exclude-vcs --one-file-system --sort --mtime',
      ),
    },
    look: lookIntoTar,
  },
  unzip: {
    operands: 'touch',
    options: {
      ...each('-d', TARGET),
      ...each('-x -P', TEXT),
      ...switches('-aAbBcCDfFjKlLMnNopqtTuUvVXWZ12hszm'),
    },
    // Only the first word can ask for a list: behind `-x` the same letters are the name of a file.
    look: ({ words }) =>
      /^-[lvtZp]q{0,2}$/.test(words[1]?.value ?? '') && words.length === 3
        ? {}
        : { dangers: [wholeDanger('writes what the archive names')] },
  },
  zip: {
    operands: { first: 'write', rest: 'read' },
    options: {
      ...each('-TT --unzip-command', RUNS),
      ...each('-T --test', flag('can run another program')),
      ...each('-b', TARGET),
      ...each('-x -i -P -n -t -s', TEXT),
      ...each('-@ --names-stdin', flag('takes the names of its files from a list')),
      ...each('-r --recurse-paths -R', FOLLOWS),
      ...each('-O --output-file --out', WRITE),
      ...switches('-9jqvuyXDdfgmoeFAckLlSz --quiet --verbose --junk-paths --symlinks --update --move --encrypt'),
    },
  },
  '7z': { operands: 'read', isTree: true, isOpen: true, look: EXTRACTS },
  cpio: { operands: 'touch', isOpen: true, options: each('--rsh-command --to-stdout', RUNS), look: EXTRACTS },
  gzip: GZIP,
  gunzip: GZIP,
  pigz: GZIP,
  bzip2: GZIP,
  bunzip2: GZIP,
  xz: compressor({ ...each('--files --files0', NAMES), ...each('-T --threads -F --format -C --check', TEXT) }),
  unxz: compressor(each('--files --files0', NAMES)),
  lzma: compressor(each('--files --files0', NAMES)),
  zstd: compressor({
    ...each('-o --output-dir-flat --output-dir-mirror', TARGET),
    ...each('-D', READ),
    '--filelist': NAMES,
    '-T': TEXT,
    ...each('--rm', {}),
  }),
  zcat: { operands: 'read', options: switches('-fhlqrv') },
  bzcat: { operands: 'read', options: switches('-sv') },
  xzcat: { operands: 'read', options: { ...each('--files --files0', NAMES), ...switches('-qv') } },
};
