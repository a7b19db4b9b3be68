import { each, FOLLOWS, flag, NAMES, READ, switches, TEXT, WRITE } from '../arguments/option-meanings.ts';
import type { CommandProfile } from '../arguments/profile.ts';

const LISTS: CommandProfile = {
  operands: 'read',
  readsFolder: true,
  options: {
    ...switches(
      '-aAbBcCdDfFgGhHiklmnNopqQrRsStuUvxXZ@eOPWy --all --almost-all --author --escape --ignore-backups --color --directory ' +
        '--classify --file-type --full-time --group-directories-first --no-group --human-readable --si --inode --kibibytes ' +
        '--numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --zero ' +
        '--hyperlink --dereference-command-line --dired --context',
    ),
    ...each(
      '-I -T -w --ignore --hide --time-style --sort --format --block-size --indicator-style --quoting-style',
      TEXT,
    ),
    ...each('--time --tabsize --width', TEXT),
    ...each('-L --dereference', FOLLOWS),
  },
};

/** Everyday programs that print names and sizes of files. */
export const LISTERS: Readonly<Record<string, CommandProfile>> = {
  ls: LISTS,
  dir: LISTS,
  vdir: LISTS,
  du: {
    operands: 'read',
    readsFolder: true,
    options: {
      ...switches(
        '-abcDhHklmPsSxr0 --all --apparent-size --bytes --total --dereference-args --human-readable --si --count-links ' +
          '--no-dereference --null --separate-dirs --summarize --one-file-system --inodes --time',
      ),
      ...each('-d -B -t --max-depth --block-size --exclude --threshold --time-style -I', TEXT),
      ...each('-L --dereference', FOLLOWS),
      ...each('-X --exclude-from', READ),
      '--files0-from': NAMES,
    },
  },
  df: {
    operands: 'read',
    options: {
      ...switches(
        '-ahHiklmPTgbc --all --human-readable --si --inodes --local --portability --print-type --total --output',
      ),
      ...each('-B -t -x --block-size --type --exclude-type', TEXT),
    },
  },
  tree: {
    operands: 'read',
    readsFolder: true,
    options: {
      ...switches(
        '-aAdDfFghilnNpqQrsStuUvxXJC --all --dirsfirst --filesfirst --du --si --noreport --gitignore --prune --matchdirs ' +
          '--ignore-case --inodes --device --nolinks --metafirst --info',
      ),
      ...each('-L -P -I -H -T --filelimit --timefmt --charset --sort', TEXT),
      ...each('--gitfile --infofile', READ),
      '-l': FOLLOWS,
      // In a cluster it takes the next word, not the rest of the cluster.
      '-o': { ...WRITE, danger: 'writes a file' },
      '-R': flag('writes files'),
      ...each('--fromfile --fromtabfile', flag('takes the names from its input')),
    },
  },
};
