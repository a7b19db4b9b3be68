import type { FileUse, Part } from '../analysis.ts';
import { danger } from '../arguments/dangers.ts';
import { readInner } from '../arguments/inner.ts';
import { each, FOLLOWS, NAMES, READ, RUNS, switches, TEXT, TREE } from '../arguments/option-meanings.ts';
import type { Call, CommandProfile, Findings, Look } from '../arguments/profile.ts';
import { literalWord, putName, type ShellWord } from '../words/shell-word.ts';

/** `grep PATTERN files` or `grep -e PATTERN files`: with `-e` or `-f` every operand is a file; recursively, none is the folder. */
function patternThenFiles({ operands, options }: Call, isTree: boolean, isHidden: boolean): FileUse[] {
  const hasPattern = options.some(({ name }) => /^-[ef]$|^--(?:reg|fi)|^--files$/.test(name));
  const first = hasPattern ? operands.slice(0, 1) : [];
  const follows = options.some(({ name }) => /^-[LR]$|^--(?:fol|deref)/.test(name));
  const use = { access: 'read', isTree, follows, skipsHidden: !isHidden } as const;
  const hasFiles = operands.length > (hasPattern ? 0 : 1);
  return [
    ...first.map((word): FileUse => ({ ...use, word })),
    ...(isTree && !hasFiles ? [{ ...use, word: literalWord('.') }] : []),
  ];
}

const lookIntoGrep: Look = (call) => {
  const isTree = call.options.some(
    ({ name, value }) =>
      /^-[rR]$|^--(?:rec|deref)/.test(name) ||
      (/^-d$|^--dir/.test(name) && value?.value !== 'skip' && value?.value !== 'read'),
  );
  const files = patternThenFiles(call, isTree, true);
  const operands = isTree ? call.operands.slice(1).map((word): FileUse => ({ word, access: 'read', isTree })) : [];
  return { files: [...files, ...operands] };
};

const GREP: CommandProfile = {
  operands: { first: 'text', rest: 'read' },
  options: {
    ...each(
      '-e -A -B -C -m -d -D --regexp --after-context --before-context --context --max-count --include --exclude',
      TEXT,
    ),
    ...each('--exclude-dir --label --binary-files --devices --directories --group-separator', TEXT),
    ...each('-f --file --exclude-from', READ),
    ...each('-r --recursive', TREE),
    ...each('-R --dereference-recursive', FOLLOWS),
    ...switches(
      '-abcEFGhHiIlLnoPqsTuUvVwxyzZ --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case ' +
        '--invert-match --word-regexp --line-regexp --count --color --colour --files-with-matches --files-without-match ' +
        '--only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --line-number --initial-tab ' +
        '--null --text --binary --null-data --line-buffered --no-group-separator',
    ),
  },
  look: lookIntoGrep,
};

const RG: CommandProfile = {
  operands: { first: 'text', rest: 'read' },
  isTree: true,
  skipsHidden: true,
  options: {
    ...each(
      '-e -A -B -C -m -g -t -T -E -j -M -r -d --regexp --after-context --before-context --context --glob --iglob --type',
      TEXT,
    ),
    ...each(
      '--type-not --max-count --max-depth --maxdepth --encoding --threads --replace --sort --sortr --color --colors --max-columns',
      TEXT,
    ),
    ...each(
      '--max-filesize --context-separator --field-match-separator --path-separator --type-add --type-clear',
      TEXT,
    ),
    ...each(
      '--engine --dfa-size-limit --regex-size-limit --field-context-separator --hyperlink-format --generate',
      TEXT,
    ),
    ...each('-f --file --ignore-file', READ),
    ...each('--pre --hostname-bin', RUNS),
    ...each('-L --follow', FOLLOWS),
    '--pre-glob': TEXT,
    ...switches(
      '-0abcFhHiIlLnNopPqsSuUvVwxz. --after --block-buffered --byte-offset --case-sensitive --column --count --count-matches --crlf ' +
        '--debug --files --files-with-matches --files-without-match --fixed-strings --heading --hidden --ignore-case --include-zero ' +
        '--invert-match --json --line-buffered --line-number --line-regexp --max-columns-preview --mmap --multiline ' +
        '--multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-dot --no-ignore-exclude ' +
        '--no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap --null ' +
        '--null-data --one-file-system --only-matching --passthru --pcre2 --pcre2-version --pretty --quiet --search-zip ' +
        '--smart-case --stats --text --trace --trim --type-list --unrestricted --vimgrep --with-filename --word-regexp --no-unicode',
    ),
    '-L': FOLLOWS,
  },
  look: (call) => {
    const seesHidden = call.options.some(({ name }) => /^-[.u]$|^--(?:hid|unr|no-ignore|files$)/.test(name));
    const files = patternThenFiles(call, true, seesHidden);
    const hidden: FileUse[] = seesHidden ? [{ word: literalWord('.'), access: 'read', isTree: true }] : [];
    return { files: [...files, ...hidden] };
  },
};

const FD: CommandProfile = {
  operands: { first: 'text', rest: 'read' },
  options: {
    ...each(
      '-e -t -d -E -S -c -j -o --extension --type --max-depth --min-depth --exact-depth --exclude --size --color --changed-within',
      TEXT,
    ),
    ...each('--changed-before --threads --owner --format --max-results --and --path-separator', TEXT),
    ...each('-x -X --exec --exec-batch', RUNS),
    ...each('-C --base-directory --search-path', { value: 'read', danger: 'works in another folder' }),
    ...each('-L --follow', FOLLOWS),
    '--ignore-file': READ,
    ...switches(
      '-HIusaglpq01 --hidden --no-ignore --unrestricted --case-sensitive --ignore-case --absolute-path --list-details --glob --regex ' +
        '--fixed-strings --full-path --print0 --prune --quiet --one-file-system --strip-cwd-prefix --no-ignore-vcs --no-ignore-parent',
    ),
    '-i': {},
    '-F': {},
  },
  look: (call) => ({
    files: patternThenFiles(
      call,
      call.options.some(({ name }) => /^-L$|^--fol/.test(name)),
      true,
    ),
  }),
};

export const SEARCHERS: Readonly<Record<string, CommandProfile>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  rg: RG,
  fd: FD,
  fdfind: FD,
  find: { lookInstead: lookIntoFind },
};

/** Names below these folders; each ended by NUL, or else a line each, which a line break or a blank in a name could break. */
export function namesBelow(
  roots: readonly (string | undefined)[],
  how: {
    readonly isBare: boolean;
    readonly isLines?: boolean;
    readonly hasLinks?: boolean;
    readonly follows?: boolean;
    readonly isRecorded?: boolean;
  },
): Findings {
  const below = roots.filter((root) => root !== undefined);
  return below.length < roots.length ? {} : { printsNames: { type: 'names', below, ...how } };
}

/** `find roots... expression`: tests are harmless, actions run programs, delete or write. */
function lookIntoFind(call: Call, context: Parameters<Look>[1]): Findings {
  const [program, ...rest] = call.words;
  const follows = rest.some((word) => /^-(?:[LH]|follow)$/.test(word.value ?? ''));
  while (/^-(?:[HLP]|O[0-3])$/.test(rest[0]?.value ?? '')) rest.shift();
  const firstTest = rest.findIndex((word) => word.value === undefined || /^[-(!]/.test(word.value));
  const roots = firstTest < 0 ? rest : rest.slice(0, firstTest);
  const files: FileUse[] = roots.map((word) => ({ word, access: 'read', isTree: follows, follows }));
  const below = roots.length === 0 ? ['.'] : roots.map((word) => word.value ?? '');
  const hasLinks = follows || !isPlainFiles(rest.slice(roots.length));
  const found: ShellWord = { text: '{}', value: undefined, glob: [-3], splits: false, below, hasLinks, follows };
  const dangers: ReturnType<typeof danger>[] = [];
  const parts: Part[] = [];
  const programs: ShellWord[] = [];
  for (let index = roots.length; index < rest.length; index += 1) {
    const word = rest[index];
    const name = word?.value;
    if (word === undefined) break;
    if (name === undefined) {
      dangers.push(danger('is only known when it runs', word));
    } else if (FIND_RUNS.has(name)) {
      const end = rest.findIndex(
        (later, at) => at > index && (later.value === ';' || (later.value === '+' && rest[at - 1]?.value === '{}')),
      );
      if (end < 0) return { opaque: `has ${name} without an end` };
      const inner = rest.slice(index + 1, end).map((inside) => putName(inside, '{}', found));
      parts.push(...readInner(context, inner));
      programs.push(word, ...rest.slice(index + 1, index + 2));
      index = end;
    } else if (name === '-execdir' || name === '-okdir') {
      return { opaque: 'runs a program in folders that are only known then' };
    } else if (name === '-delete') {
      dangers.push(danger('deletes what it finds', word));
    } else if (FIND_WRITES.has(name)) {
      const target = rest[index + 1];
      if (target)
        files.push({ word: target, access: 'write', isTree: false, besides: danger('writes a file', word, target) });
      index += 1;
    } else if (name === '-newer' || name === '-samefile' || name === '-files0-from') {
      const source = rest[index + 1];
      if (source) files.push({ word: source, access: 'read', isTree: false });
      if (name === '-files0-from') dangers.push(danger(NAMES.danger ?? '', word, ...(source ? [source] : [])));
      index += 1;
    } else if (FIND_VALUES.test(name)) {
      index += 1;
    } else if (!FIND_SWITCHES.test(name)) {
      dangers.push(danger('is not an expression known to be harmless', word));
    }
  }
  if (program === undefined) return {};
  return {
    files,
    dangers,
    ...(parts.length > 0
      ? { inner: { parts, needs: 'both', program: programs } }
      : rest.some((word) => /^-(?:printf|ls|exec|ok)/.test(word.value ?? ''))
        ? {}
        : namesBelow(below, {
            isBare: false,
            isLines: !rest.some((word) => word.value === '-print0'),
            hasLinks,
            follows,
          })),
  };
}

/** `-type f` among the tests, and nothing that could go round it: then no name is that of a link. */
function isPlainFiles(expression: readonly ShellWord[]): boolean {
  const action = expression.findIndex((word) => /^-(?:exec|ok|print|ls|fprint|fls|prune|quit)/.test(word.value ?? ''));
  // A test behind an action comes too late for it.
  const values = (action < 0 ? expression : expression.slice(0, action)).map((word) => word.value);
  const at = values.indexOf('-type');
  return at >= 0 && values[at + 1] === 'f' && !values.some((value) => /^(?:-o|-or|,|!|-not|\()$/.test(value ?? ''));
}

const FIND_RUNS = new Set(['-exec', '-ok']);
const FIND_WRITES = new Set(['-fprint', '-fprint0', '-fls', '-fprintf']);
const FIND_VALUES =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|type|xtype|size|[amc]time|[amc]min|newer[aBcm][aBcmt]|maxdepth|mindepth|perm|user|group|uid|gid|links|inum|printf|used|fstype|lname|ilname|context|D)$/;
const FIND_SWITCHES =
  /^(?:-(?:H|L|P|O[0-3]|print0?|ls|prune|quit|empty|true|false|not|a|and|o|or|depth|d|mount|xdev|noleaf|follow|daystart|readable|writable|executable|nouser|nogroup|warn|nowarn|ignore_readdir_race|help|version)|[()!,])$/;
