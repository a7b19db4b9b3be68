import type { FileUse } from '../analysis.ts';
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
  WRITE,
  wholeDanger,
} from '../profile.ts';

/** `tar`: listing is plain. Everything else writes what the archive or the line names, and a rule has to say so. */
const lookIntoTar: Look = ({ words }) => {
  const [, first, second] = words;
  const isListing =
    LISTS.test(first?.value ?? '') &&
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

/** Programs that pack, unpack and reach the network. */
export const ARCHIVES_AND_NETWORK: Readonly<Record<string, CommandProfile>> = {
  tar: {
    operands: 'touch',
    options: {
      ...each(
        '-I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command',
        RUNS,
      ),
      ...each('-C --directory', TARGET),
      ...each('-T --files-from -X --exclude-from', READ),
      ...each('-P --absolute-names', flag('writes outside the folder')),
      ...each('--checkpoint', flag('can run programs')),
      ...each('--exclude --strip-components --transform --xform --owner --group --mode', TEXT),
    },
    look: lookIntoTar,
  },
  unzip: {
    operands: 'touch',
    options: { ...each('-d', TARGET), ...each('-x -P', TEXT) },
    look: ({ words }) =>
      words.some((word) => /^-[a-z]*[lvtZp]/.test(word.value ?? ''))
        ? {}
        : { dangers: [wholeDanger('writes what the archive names')] },
  },
  zip: {
    operands: { first: 'write', rest: 'read' },
    options: {
      ...each('-TT --unzip-command', RUNS),
      ...each('-T --test', flag('can run another program')),
      ...each('-b', TARGET),
      ...each('-x -i -P -n', TEXT),
    },
  },
  '7z': { operands: 'touch', look: EXTRACTS },
  cpio: { operands: 'touch', options: each('--rsh-command --to-stdout', RUNS), look: EXTRACTS },
  gzip: { operands: 'write' },
  gunzip: { operands: 'write' },
  bzip2: { operands: 'write' },
  xz: { operands: 'write', options: each('--files --files0', READ) },
  zstd: { operands: 'write', options: each('-o -D', TARGET) },
  zcat: { operands: 'read' },
  curl: {
    operands: 'touch',
    options: {
      ...each(
        '-o --output -O --remote-name -J --remote-header-name -D --dump-header -c --cookie-jar --output-dir --trace --trace-ascii --stderr --libcurl --hsts --etag-save --alt-svc',
        WRITE,
      ),
      ...each(
        '-O -J --remote-name --remote-header-name --remote-name-all',
        flag('writes a file that the server names'),
      ),
      ...each(
        '-b --cookie -T --upload-file -F --form --form-string -d --data --data-binary --data-raw --data-urlencode --data-ascii --json -E --cert --key --netrc-file',
        { value: 'touch', danger: 'sends data' },
      ),
      ...each(
        '-K --config -Q --quote --variable --expand-url --expand-data --proxy -x --unix-socket --abstract-unix-socket --preproxy --engine --dns-servers --connect-to --resolve --interface --cacert --capath',
        LOADS,
      ),
      ...each('-X --request', { value: 'text', danger: 'sends a request of another kind' }),
      ...each('-n --netrc --netrc-optional', flag('sends stored passwords')),
      ...each(
        '-H --header -A --user-agent -e --referer -u --user -w --write-out -m --max-time --retry --retry-delay --connect-timeout --max-redirs --limit-rate -r --range --retry-max-time',
        TEXT,
      ),
      ...each(
        '--compressed --fail --silent --show-error --location --head --include --insecure --parallel --create-dirs --keepalive-time',
        {},
      ),
    },
    look: ({ words }) => ({
      dangers: words
        .filter((word) => /^(?:-[A-Za-z]+|--[a-z-]+=)?@|%output/.test(word.value ?? '@'))
        .map((word) => danger('reads or writes a file', word)),
    }),
  },
  wget: {
    operands: 'touch',
    options: {
      ...each(
        '-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --warc-file',
        WRITE,
      ),
      ...each(
        '-e --execute --use-askpass --config --post-file --body-file --post-data --body-data --method -i --input-file --load-cookies',
        LOADS,
      ),
      ...each('-q --quiet --spider --no-verbose -S --server-response', {}),
    },
    look: ({ words }) =>
      words.some((word) => word.value === '--spider' || /^-[a-zA-Z]*O-?$/.test(word.value ?? ''))
        ? {}
        : { dangers: [wholeDanger('writes a file that the server names')] },
  },
  scp: { operands: 'touch', options: each('-S -o -F -J -D', RUNS) },
  sftp: { operands: 'touch', options: each('-S -o -F -b -D', RUNS) },
  rsync: {
    operands: 'touch',
    options: {
      ...each('-e --rsh --rsync-path', RUNS),
      ...each('--files-from --exclude-from --include-from --password-file', READ),
      ...each('--log-file --backup-dir --partial-dir --write-batch', WRITE),
      ...each('--exclude --include', TEXT),
    },
  },
  nc: { look: () => ({ opaque: 'opens a connection that can carry anything' }) },
  ncat: { look: () => ({ opaque: 'opens a connection that can carry anything' }) },
  socat: { look: () => ({ opaque: 'opens a connection that can carry anything' }) },
  telnet: { look: () => ({ opaque: 'opens a connection that can carry anything' }) },
  ping: { operands: 'text', options: each('-c -i -W -w', TEXT) },
  dig: { operands: 'text', options: each('-f -k', READ) },
  host: { operands: 'text' },
  nslookup: { operands: 'text' },
  openssl: {
    operands: 'touch',
    style: 'words',
    options: {
      ...each('-out -keyout -writerand', WRITE),
      ...each('-engine -provider -provider-path -config', LOADS),
      ...each('-in', READ),
    },
  },
  sqlite3: {
    operands: 'touch',
    look: ({ words }) => ({
      dangers: words
        .slice(1)
        .filter((word) => /^\s*\.|-cmd|-init|readfile|writefile|load_extension|edit\(|attach/i.test(word.value ?? '.'))
        .map((word) => danger('can run programs or write files', word)),
    }),
  },
  psql: {
    operands: 'text',
    options: {
      ...each('-c --command', { value: 'text', danger: 'runs statements' }),
      ...each('-f --file', READ),
      ...each('-o --output -L --log-file', WRITE),
      ...each('-v --set --variable -P', LOADS),
      ...each('-h -p -U -d --host --port --username --dbname', TEXT),
    },
  },
  mysql: {
    operands: 'text',
    options: {
      ...each('-e --execute', { value: 'text', danger: 'runs statements' }),
      ...each('--defaults-file --defaults-extra-file --init-command --pager --tee', LOADS),
    },
  },
};
