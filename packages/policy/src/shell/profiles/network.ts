import { danger, wholeDanger } from '../arguments/dangers.ts';
import {
  each,
  FOLLOWS,
  flag,
  LOADS,
  NAMES,
  READ,
  RUNS,
  switches,
  TEXT,
  TREE,
  WRITE,
} from '../arguments/option-meanings.ts';
import type { Call, CommandProfile, Findings } from '../arguments/profile.ts';
import type { ShellWord } from '../words/shell-word.ts';
import { unseenNames } from './writers.ts';

/** Addresses on the line. One that is not plain http reaches other services, and a file by its address is a file. */
function addressesOf({ operands, options }: Call): Findings & { readonly addresses: readonly ShellWord[] } {
  const named = options.flatMap(({ name, value }) => (name === '--url' && value ? [value] : []));
  const addresses = [...operands, ...named].map(asAddress);
  const odd = addresses.filter((word) => !HTTP.test(word.value ?? ''));
  return { addresses, dangers: odd.map((word) => danger('is not a plain address', word)) };
}

/** An unquoted "?" in an address is a wildcard to the shell; what it can become names the same host. */
function asAddress(word: ShellWord): ShellWord {
  return word.value === undefined && /^https?:\/\/[\w.:-]+\/[\w./?=%+,-]*$/.test(word.text)
    ? { ...word, value: word.text }
    : word;
}

/** `https://host/path`, or a host without a scheme. */
const HTTP = /^(?:https?:\/\/|(?![a-z][\w+.-]*:\/\/))[\w.[\]-][\w.:[\]-]*(?:[/?#][^\s{}[\]\\]*)?$/i;

const opensConnection: CommandProfile = {
  lookInstead: () => ({ opaque: 'opens a connection that can carry anything' }),
};

/** Programs that reach the network. */
export const NETWORK: Readonly<Record<string, CommandProfile>> = {
  curl: {
    operands: 'touch',
    options: {
      ...each(
        '-o --output -D --dump-header -c --cookie-jar --output-dir --trace --trace-ascii --stderr --libcurl --hsts --etag-save --alt-svc',
        WRITE,
      ),
      ...each(
        '-O -J --remote-name --remote-header-name --remote-name-all',
        flag('writes a file that the server names'),
      ),
      ...each(
        '-b --cookie -T --upload-file -F --form --form-string -d --data --data-binary --data-raw --data-urlencode --data-ascii --json',
        { value: 'touch', danger: 'sends data' },
      ),
      ...each('-E --cert --key --netrc-file --url-query --etag-compare', { value: 'touch', danger: 'sends data' }),
      ...each(
        '-K --config -Q --quote --variable --expand-url --expand-data --proxy -x --unix-socket --abstract-unix-socket --preproxy',
        LOADS,
      ),
      ...each(
        '--engine --dns-servers --connect-to --resolve --interface --cacert --capath --socks4 --socks4a --socks5',
        LOADS,
      ),
      ...each('--socks5-hostname --proxy1.0 -t --telnet-option --doh-url --request-target --haproxy-clientip', LOADS),
      ...each('-X --request', { value: 'text', danger: 'sends a request of another kind' }),
      ...each('-n --netrc --netrc-optional', flag('sends stored passwords')),
      ...each('-: --next -Z --parallel', flag('goes on with another request')),
      ...each(
        '-H --header -A --user-agent -e --referer -u --user -w --write-out -m --max-time --retry --retry-delay --connect-timeout',
        TEXT,
      ),
      ...each(
        '--max-redirs --limit-rate -r --range --retry-max-time --url --ciphers --max-filesize -y -Y -z --proto',
        TEXT,
      ),
      ...switches(
        '-0123456afgGiIjklLMNpRsSvVq# --compressed --fail --fail-with-body --silent --show-error --location --head --include --insecure ' +
          '--create-dirs --no-buffer --verbose --http1.1 --http2 --ipv4 --ipv6 --globoff --get --retry-all-errors ' +
          '--retry-connrefused --no-progress-meter --progress-bar --tlsv1.2 --tlsv1.3 --tcp-nodelay --path-as-is --disable',
      ),
    },
    look: (call) => {
      const { addresses, dangers = [] } = addressesOf(call);
      const files = call.words.filter((word) =>
        /^(?:-[A-Za-z]+|--[a-z-]+=)?@|%output/.test(asAddress(word).value ?? '@'),
      );
      return { addresses, dangers: [...dangers, ...files.map((word) => danger('reads or writes a file', word))] };
    },
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
      ...each('-T -t -w -U --timeout --tries --wait --user-agent --header --max-redirect', TEXT),
      ...switches('-qSv46 --quiet --spider --no-verbose --server-response --no-check-certificate --continue --verbose'),
    },
    look: (call) => {
      const { addresses, dangers = [] } = addressesOf(call);
      const isShown = call.words.some((word) => word.value === '--spider' || /^-[a-zA-Z]*O-?$/.test(word.value ?? ''));
      return {
        addresses,
        dangers: isShown ? dangers : [...dangers, wholeDanger('writes a file that the server names')],
      };
    },
  },
  scp: { operands: 'touch', isOpen: true, options: each('-S -o -F -J -D', RUNS) },
  sftp: { operands: 'touch', isOpen: true, options: each('-S -o -F -b -D', RUNS) },
  rsync: {
    operands: { rest: 'read', last: 'write' },
    lastIsTarget: true,
    options: {
      ...each('-e --rsh --rsync-path', RUNS),
      ...each('--files-from', NAMES),
      ...each('--exclude-from --include-from --password-file', READ),
      ...each(
        '--log-file --backup-dir --partial-dir --write-batch --temp-dir -T --compare-dest --copy-dest --link-dest',
        WRITE,
      ),
      ...each(
        '--exclude --include --chmod --chown --max-size --min-size --bwlimit --timeout --info --out-format',
        TEXT,
      ),
      ...each('-f --filter -M --remote-option --read-batch --suffix', LOADS),
      ...each('-r -a --recursive --archive -d --dirs', TREE),
      ...each('-L --copy-links -k --copy-dirlinks --copy-unsafe-links', FOLLOWS),
      ...switches(
        '-bcghiklmnopPqRtuvxzAEHSWX --verbose --quiet --checksum --update --dry-run --delete --delete-after --delete-before --delete-during ' +
          '--delete-excluded --progress --stats --human-readable --itemize-changes --compress --links --perms --times --group ' +
          '--owner --existing --ignore-existing --ignore-times --size-only --partial --prune-empty-dirs --list-only --no-perms ' +
          '--no-owner --no-group --no-times --safe-links --hard-links --relative --whole-file --inplace --backup',
      ),
    },
    look: (call) => {
      const remote = call.operands.filter((word) => /^[^/]*:/.test(word.value ?? ':'));
      const merged = call.operands.slice(0, -1).filter((word) => word.value?.endsWith('/'));
      return {
        dangers: [
          ...unseenNames(call),
          ...remote.map((word) => danger('reaches another machine', word)),
          ...merged.slice(0, 1).map((word) => danger('copies names that are only known when it runs', word)),
        ],
      };
    },
  },
  nc: opensConnection,
  ncat: opensConnection,
  netcat: opensConnection,
  socat: opensConnection,
  telnet: opensConnection,
  ftp: opensConnection,
  ping: { operands: 'text', options: { ...each('-c -i -W -w -s -t', TEXT), ...switches('-46nqv') } },
  dig: { operands: 'text', isOpen: true, options: each('-f -k', NAMES) },
  host: { operands: 'text', isOpen: true },
  nslookup: { operands: 'text', isOpen: true },
  openssl: {
    operands: 'touch',
    style: 'words',
    isOpen: true,
    options: {
      ...each('-out -keyout -writerand', WRITE),
      ...each('-engine -provider -provider-path -config', LOADS),
      ...each('-in', READ),
    },
  },
  sqlite3: {
    operands: 'touch',
    style: 'words',
    options: {
      ...each('-separator -newline -nullvalue', TEXT),
      ...each(
        '-bail -batch -box -column -csv -header -noheader -html -json -line -list -markdown -quote -readonly -safe -table',
        {},
      ),
    },
    look: ({ operands }, { input }) => {
      const [, ...statements] = operands;
      const isFromInput = statements.length === 0 || input.type === 'text';
      return {
        dangers: [
          ...statements
            .filter((word) => !isQuery(word.value))
            .map((word) => danger('is not a plain query, and others run programs and write files', word)),
          ...(isFromInput ? [wholeDanger('runs what comes in at its input')] : []),
        ],
      };
    },
  },
  psql: {
    operands: 'text',
    options: {
      ...each('-c --command', { value: 'text', danger: 'runs statements' }),
      ...each('-f --file', READ),
      ...each('-o --output -L --log-file', WRITE),
      ...each('-v --set --variable -P', LOADS),
      ...each('-h -p -U -d --host --port --username --dbname', TEXT),
      ...switches('-aAbeElnqstwWxX --list --quiet --tuples-only --no-psqlrc --expanded'),
    },
  },
  mysql: {
    operands: 'text',
    options: {
      ...each('-e --execute', { value: 'text', danger: 'runs statements' }),
      ...each('--defaults-file --defaults-extra-file --init-command --pager --tee', LOADS),
      ...each('-h -P -u -D --host --port --user --database', TEXT),
      ...switches('-BNtpsv --batch --table --silent --password --no-defaults'),
    },
  },
};

/** One `select` or a list of tables, with functions that only calculate. Comments and quoted names could hide others. */
function isQuery(statement: string | undefined): boolean {
  if (statement === undefined) return false;
  if (/^\.(?:tables|schema|databases|indexes)(?: [\w%]+)?$/.test(statement)) return true;
  if (!/^\s*(?:select|explain\s+query\s+plan\s+select|pragma\s+table_info\()/i.test(statement)) return false;
  if (/--|\/\*|["`[;\\]/.test(statement.replace(/;\s*$/, ''))) return false;
  const calls = statement.replace(/'[^']*'/g, "''").matchAll(/([A-Za-z_]\w*)\s*\(/g);
  return [...calls].every(([, name = '']) => PURE_FUNCTIONS.has(name.toLowerCase()));
}

const PURE_FUNCTIONS = new Set(
  (
    'count sum avg min max total group_concat length lower upper substr substring trim ltrim rtrim replace round abs coalesce ifnull nullif ' +
    'date time datetime julianday strftime typeof instr printf distinct in values select exists table_info and or not as from where'
  ).split(' '),
);
