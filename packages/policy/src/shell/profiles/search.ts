import type { FileUse, Part } from '../analysis.ts';
import { readInner } from '../inner.ts';
import { type CommandProfile, danger, each, type Findings, type Look, READ, RUNS, TEXT, TREE } from '../profile.ts';
import { literalWord, type ShellWord } from '../word.ts';

/** `grep PATTERN files` or `grep -e PATTERN files`: with `-e` or `-f` every operand is a file. */
const patternThenFiles: Look = ({ words, operands }) => {
  const hasPatternOption = words.some((word) => /^-[a-zA-Z]*[ef]|^--(?:regexp|file)/.test(word.value ?? ''));
  const files = hasPatternOption
    ? operands.slice(0, 1).map((word): FileUse => ({ word, access: 'read', isTree: false }))
    : [];
  return { files };
};

const GREP: CommandProfile = {
  operands: { first: 'text', rest: 'read' },
  options: {
    ...each(
      '-e -A -B -C -m -d -D --regexp --after-context --before-context --context --max-count --include --exclude',
      TEXT,
    ),
    ...each('--exclude-dir --label --binary-files --devices --directories', TEXT),
    ...each('-f --file --exclude-from', READ),
    ...each('-r -R --recursive --dereference-recursive', TREE),
  },
  look: patternThenFiles,
};

export const SEARCHERS: Readonly<Record<string, CommandProfile>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  rg: {
    operands: { first: 'text', rest: 'read' },
    isTree: true,
    skipsHidden: true,
    options: {
      ...each(
        '-e -A -B -C -m -g -t -T -E -j -M -r -d --regexp --after-context --before-context --context --glob --iglob --type',
        TEXT,
      ),
      ...each(
        '--type-not --max-count --max-depth --encoding --threads --replace --sort --sortr --color --colors --max-columns',
        TEXT,
      ),
      ...each('--max-filesize --context-separator --field-match-separator --path-separator --type-add --engine', TEXT),
      ...each('-f --file --ignore-file', READ),
      ...each('--pre --hostname-bin', RUNS),
      ...each('--pre-glob --pretty', {}),
    },
    look: (call, context) => {
      const found = patternThenFiles(call, context);
      const seesHidden = call.words.some((word) =>
        /^-[a-zA-Z]*[.u]|^--(?:hidden|unrestricted|no-ignore|files)/.test(word.value ?? '-u'),
      );
      const hidden: FileUse[] = seesHidden ? [{ word: literalWord('.'), access: 'read', isTree: true }] : [];
      return { ...found, files: [...(found.files ?? []), ...hidden] };
    },
  },
  fd: {
    operands: { first: 'text', rest: 'read' },
    options: {
      ...each(
        '-e -t -d -E -S -c --extension --type --max-depth --min-depth --exclude --size --color --changed-within',
        TEXT,
      ),
      ...each('-x -X --exec --exec-batch', RUNS),
      '--ignore-file': READ,
    },
  },
  find: { lookInstead: lookIntoFind },
};

/** Names below these folders, each ended by NUL: a line break or a blank in a name could make two of one. */
export function namesBelow(roots: readonly (string | undefined)[], isBare: boolean): Findings {
  const below = roots.filter((root) => root !== undefined);
  return below.length < roots.length ? {} : { printsNames: { type: 'names', below, isBare } };
}

/** `find roots... expression`: tests are harmless, actions run programs, delete or write. */
function lookIntoFind(call: Parameters<Look>[0], context: Parameters<Look>[1]): Findings {
  const [program, ...rest] = call.words;
  while (/^-(?:[HLP]|O[0-3])$/.test(rest[0]?.value ?? '')) rest.shift();
  const firstTest = rest.findIndex((word) => word.value === undefined || /^[-(!]/.test(word.value));
  const roots = firstTest < 0 ? rest : rest.slice(0, firstTest);
  const files: FileUse[] = roots.map((word) => ({ word, access: 'read', isTree: false }));
  const below = roots.length === 0 ? ['.'] : roots.map((word) => word.value ?? '');
  const found: ShellWord = { text: '{}', value: undefined, glob: [-3], splits: false, below };
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
      const inner = rest
        .slice(index + 1, end)
        .map((inside) => (inside.value?.includes('{}') ? { ...found, text: inside.text } : inside));
      parts.push(...readInner(context, inner, name.endsWith('dir') ? undefined : context.state.directories));
      programs.push(word, ...rest.slice(index + 1, index + 2));
      index = end;
    } else if (name === '-delete') {
      dangers.push(danger('deletes what it finds', word));
    } else if (FIND_WRITES.has(name)) {
      const target = rest[index + 1];
      if (target)
        files.push({ word: target, access: 'write', isTree: false, besides: danger('writes a file', word, target) });
      index += 1;
    } else if (name === '-files0-from' || name === '-newer' || name === '-samefile') {
      const source = rest[index + 1];
      if (source) files.push({ word: source, access: 'read', isTree: false });
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
      : rest.some((word) => word.value === '-print0')
        ? namesBelow(below, false)
        : {}),
  };
}

const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FIND_WRITES = new Set(['-fprint', '-fprint0', '-fls', '-fprintf']);
const FIND_VALUES =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|type|xtype|size|[amc]time|[amc]min|newer[aBcm][aBcmt]|maxdepth|mindepth|perm|user|group|uid|gid|links|inum|printf|used|fstype|lname|ilname|context|D)$/;
const FIND_SWITCHES =
  /^(?:-(?:H|L|P|O[0-3]|print0?|ls|prune|quit|empty|true|false|not|a|and|o|or|depth|d|mount|xdev|noleaf|follow|daystart|readable|writable|executable|nouser|nogroup|warn|nowarn|ignore_readdir_race|help|version)|[()!,])$/;
