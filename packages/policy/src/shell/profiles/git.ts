import type { Danger, FileUse } from '../analysis.ts';
import { readInner } from '../inner.ts';
import {
  type CommandProfile,
  danger,
  each,
  type Findings,
  flag,
  LOADS,
  type Look,
  type LookContext,
  type OptionMeaning,
  READ,
  RUNS,
  TEXT,
  WRITE,
} from '../profile.ts';
import { scanArguments } from '../scan.ts';
import type { ShellWord } from '../word.ts';
import { namesBelow } from './search.ts';

/** Subcommands whose arguments are ordinary. Anything else is an alias, an extension, or listed below. */
const ORDINARY = new Set(
  (
    'add annotate archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap checkout ' +
    'cherry cherry-pick clean clone column commit commit-tree count-objects describe diff diff-files diff-index diff-tree fetch ' +
    'for-each-ref format-patch fsck gc get-tar-commit-id grep hash-object help init interpret-trailers log ls-files ls-remote ls-tree ' +
    'mailinfo merge merge-base merge-file merge-tree mv name-rev notes pack-refs prune pull push range-diff ' +
    'rebase reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm shortlog show show-branch ' +
    'show-ref sparse-checkout stash status stripspace submodule switch symbolic-ref tag update-index update-ref var ' +
    'verify-commit verify-tag version whatchanged worktree config'
  ).split(' '),
);

/** Options that run programs, load settings or write files, in whatever subcommand they stand. */
const EVERYWHERE: Readonly<Record<string, OptionMeaning>> = {
  ...each('--upload-pack --receive-pack --exec --extcmd --open-files-in-pager --sendmail-cmd --smtp-server', RUNS),
  '--strategy': RUNS,
  '--strategy-option': TEXT,
  ...each('--config --config-env --template --separate-git-dir --git-dir --work-tree --exec-path', LOADS),
  ...each('--output --output-directory --index-output --export-marks', WRITE),
  '--ext-diff': flag('runs a program that the repository names'),
  '--unsafe-paths': flag('writes outside the repository'),
  ...each('--message --author --date --grep --since --until --after --before --sort --trailer --cleanup', TEXT),
  ...each('--file --pathspec-from-file --contents --ignore-revs-file', READ),
  ...each(
    '--format --pretty --oneline --name-only --name-status --stat --no-ext-diff --exec-batch --output-indicator-new --output-indicator-old',
    {},
  ),
};

/** Short options differ between subcommands. */
const BY_SUBCOMMAND: Readonly<Record<string, Readonly<Record<string, OptionMeaning>>>> = {
  commit: { ...each('-m -c -C', TEXT), ...each('-F -t', READ) },
  tag: { ...each('-m -u', TEXT), '-F': READ },
  merge: { ...each('-m -X', TEXT), '-F': READ, '-s': RUNS },
  notes: { ...each('-m', TEXT), '-F': READ },
  stash: each('-m', TEXT),
  log: each('-n -S -G -L', TEXT),
  show: each('-n -S -G -L', TEXT),
  diff: each('-S -G', TEXT),
  grep: { ...each('-e -A -B -C -m', TEXT), ...each('-f', READ), '-O': { danger: 'runs another program' } },
  clone: { ...each('-u -c', RUNS), ...each('-b -o -j --branch --depth --origin', TEXT) },
  fetch: each('-j --depth', TEXT),
  push: each('-o', TEXT),
  rebase: {
    ...each('-x -s', RUNS),
    ...each('-X --onto', TEXT),
    ...each('-i --interactive', flag('opens an editor whose commands it runs')),
  },
  'format-patch': { ...each('-o', WRITE), ...each('-v', TEXT) },
  archive: { ...each('-o', WRITE), ...each('--remote', RUNS), ...each('--prefix', TEXT) },
  blame: { ...each('-L', TEXT), '-S': READ },
  pull: { ...each('-X --onto', TEXT), ...each('-s', RUNS) },
};

/** `git ...`: options before the subcommand, then the subcommand by what it can do. */
const lookIntoGit: Look = ({ words }, context): Findings => {
  const program = words[0];
  const globals = readGlobals(words);
  if (globals.opaque !== undefined) return { opaque: globals.opaque };
  const subcommand = words[globals.next];
  if (program === undefined || subcommand === undefined) return { dangers: globals.dangers, files: globals.files };
  const name = subcommand.value;
  if (name === undefined) return { opaque: 'takes its subcommand from something unknown' };
  const call = words.slice(globals.next);
  const scan = scanArguments(
    profileOf(name),
    call.filter((word) => !REVISION.test(word.value ?? '')),
  );
  const dangers: Danger[] = [...globals.dangers, ...scan.dangers];
  if (!ORDINARY.has(name))
    dangers.push(danger('is not a built-in git command that is known to run nothing else', subcommand));
  dangers.push(...subcommandDangers(name, subcommand, scan.operands, call));
  dangers.push(
    ...scan.operands
      .filter((word) => REMOTE_HELPER.test(word.value ?? ''))
      .map((word) => danger('is an address that runs a program', word)),
  );
  return {
    dangers,
    files: [...globals.files, ...scan.files],
    ...(globals.next > 1 && globals.dangers.length === 0 ? { plainWords: [program, ...call] } : {}),
    ...innerOf(name, scan.operands, subcommand, context),
    ...(printsEndedNames(name, call) ? namesBelow(['.'], true) : {}),
  };
};

interface Globals {
  /** Index of the subcommand. */
  readonly next: number;
  readonly dangers: readonly Danger[];
  readonly files: readonly FileUse[];
  readonly opaque?: string;
}

function readGlobals(words: readonly ShellWord[]): Globals {
  const dangers: Danger[] = [];
  const files: FileUse[] = [];
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value;
    if (word === undefined || value === undefined)
      return { next: index, dangers, files, opaque: 'takes its options from something unknown' };
    if (!value.startsWith('-')) break;
    if (
      /^(?:--no-pager|--version|--help|-h|-v|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects|--html-path|--man-path|--info-path)$/.test(
        value,
      )
    )
      continue;
    const target = words[index + 1];
    if (value === '-C' && target) {
      files.push({ word: target, access: 'read', isTree: false });
      if (target.value === undefined) dangers.push(danger('runs in a folder that is only known then', word, target));
      index += 1;
    } else if (value === '-c' && target) {
      if (!HARMLESS_CONFIG.test(target.value ?? ''))
        dangers.push(danger('changes a setting, which can run programs', word, target));
      index += 1;
    } else {
      const takesValue =
        /^--(?:git-dir|work-tree|namespace|super-prefix|config-env|exec-path|attr-source)$/.test(value) &&
        value !== '--exec-path';
      dangers.push(
        danger('changes where git finds its settings or programs', word, ...(takesValue && target ? [target] : [])),
      );
      if (takesValue) index += 1;
    }
  }
  return { next: index, dangers, files };
}

function subcommandDangers(
  name: string,
  word: ShellWord,
  operands: readonly ShellWord[],
  call: readonly ShellWord[],
): Danger[] {
  const [first] = operands;
  if (name === 'config' && !readsConfig(call)) {
    return [danger('changes settings, which can run programs', word, ...call.slice(1))];
  }
  if (name === 'bisect' || name === 'submodule') {
    if (first?.value === undefined && first !== undefined)
      return [danger('takes what it does from something unknown', word)];
    return /^(?:run|foreach)$/.test(first?.value ?? '')
      ? [danger('runs another program', word, ...operands.slice(0, 2))]
      : [];
  }
  if (name === 'remote' && /^(?:add|set-url)$/.test(first?.value ?? '')) {
    return [danger('changes where the repository pushes to', word, ...operands.slice(0, 3))];
  }
  if (name === 'push' && first && /[:/]/.test(first.value ?? ':')) {
    return [danger('is an address and not a remote of the repository', first)];
  }
  return call
    .filter((argument) => /^--rebase=i/.test(argument.value ?? ''))
    .map((argument) => danger('opens an editor whose commands it runs', argument));
}

/** Every option is one that reads, and one of them says so. */
function readsConfig(call: readonly ShellWord[]): boolean {
  const options = call.slice(1).filter((argument) => argument.value === undefined || argument.value.startsWith('-'));
  const asks = call.slice(1, 2).some((argument) => /^(?:get|list)$/.test(argument.value ?? ''));
  return (
    (asks || options.some((option) => READS_CONFIG.test(option.value ?? ''))) &&
    options.every((option) => CONFIG_OPTION.test(option.value ?? ''))
  );
}

/** `git bisect run` and `git submodule foreach` have their command on the line. */
function innerOf(name: string, operands: readonly ShellWord[], subcommand: ShellWord, context: LookContext): Findings {
  const runs =
    (name === 'bisect' && operands[0]?.value === 'run') || (name === 'submodule' && operands[0]?.value === 'foreach');
  if (!runs || operands.length < 2) return {};
  return {
    inner: {
      parts: readInner(context, operands.slice(1)),
      needs: 'both',
      program: [subcommand, ...operands.slice(0, 2)],
    },
  };
}

const profiles = new Map<string, CommandProfile>();

/** One profile for each subcommand that has something of its own, and one for each role of operands. */
function profileOf(name: string): CommandProfile {
  const own = Object.hasOwn(BY_SUBCOMMAND, name) ? BY_SUBCOMMAND[name] : undefined;
  const operands = operandRole(name);
  const key = own ? name : `*${operands}`;
  const profile = profiles.get(key) ?? { operands, options: { ...EVERYWHERE, ...own } };
  profiles.set(key, profile);
  return profile;
}

function operandRole(name: string): 'touch' | 'text' | 'read' {
  if (CHANGES_FILES.test(name)) return 'touch';
  return name === 'clean' ? 'text' : 'read';
}

function printsEndedNames(name: string, call: readonly ShellWord[]): boolean {
  return name === 'ls-files' && call.some((word) => word.value === '-z');
}

export const GIT: Readonly<Record<string, CommandProfile>> = { git: { lookInstead: lookIntoGit } };

const REMOTE_HELPER = /^[A-Za-z0-9]*::|^(?:ssh:\/\/)?-|^[a-z+]*:\/\/-/;
const READS_CONFIG = /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l)$/;
const CONFIG_OPTION =
  /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|--show-origin|--show-scope|--global|--local|--system|--name-only|--bool|--int|--null|-z|--default=.*|--type=\w+)$/;
/** Subcommands whose operands are files that they change. */
const CHANGES_FILES = /^(?:mv|rm|clone|init|worktree|merge-file|bundle|checkout|restore|reset|stash|update-index)$/;
/** Names of commits, which are no files. */
const REVISION = /^(?:HEAD|@)(?:[~^@{}\d]*)$/;
const HARMLESS_CONFIG =
  /^(?:color\.[a-z.]+=\w*|core\.quote[pP]ath=\w+|core\.pager=(?:cat)?|log\.\w+=\w+|advice\.\w+=\w+|diff\.(?:renames|noprefix|context|algorithm)=\w+|user\.(?:name|email)=[^$`]*)$/;
