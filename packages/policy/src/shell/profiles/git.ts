import { resolvePath } from '../../workspace/paths.ts';
import type { Danger, FileUse } from '../analysis.ts';
import { danger } from '../arguments/dangers.ts';
import { readInner } from '../arguments/inner.ts';
import type { CommandProfile, Findings, Look, LookContext } from '../arguments/profile.ts';
import { scanArguments } from '../arguments/scan.ts';
import { literalWord, type ShellWord } from '../words/shell-word.ts';
import { gitProfile } from './git-options.ts';
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

/** `git ...`: options before the subcommand, then the subcommand by what it can do. */
const lookIntoGit: Look = ({ words }, context): Findings => {
  const program = words[0];
  const globals = readGlobals(words);
  if (globals.opaque !== undefined) return { opaque: globals.opaque };
  const subcommand = words[globals.next];
  const { directories } = context.state;
  const where =
    globals.folder === undefined
      ? directories
      : directories?.map((folder) => resolvePath(folder, globals.folder ?? ''));
  const place = { usesRepository: true, directories: where };
  if (program === undefined || subcommand === undefined)
    return { ...place, dangers: globals.dangers, files: globals.files };
  const name = subcommand.value;
  if (name === undefined) return { opaque: 'takes its subcommand from something unknown' };
  const call = words.slice(globals.next);
  const scan = scanArguments(
    gitProfile(name),
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
  const isRepository = name !== 'clone' && name !== 'init';
  return {
    ...place,
    usesRepository: isRepository,
    dangers,
    files: [...globals.files, ...scan.files, ...filesOutside(name, call), ...filesInHistory(name, call, scan.operands)],
    ...(globals.next > 1 && globals.dangers.length === 0 ? { plainWords: [program, ...call] } : {}),
    ...innerOf(name, scan.operands, subcommand, context),
    ...(name === 'ls-files' && printsPlainNames(call)
      ? namesBelow(['.'], { isBare: true, isLines: !call.some((word) => word.value === '-z'), isRecorded: true })
      : {}),
  };
};

interface Globals {
  /** Index of the subcommand. */
  readonly next: number;
  readonly dangers: readonly Danger[];
  readonly files: readonly FileUse[];
  /** The folder of `-C`. */
  readonly folder?: string | undefined;
  readonly opaque?: string;
}

function readGlobals(words: readonly ShellWord[]): Globals {
  const dangers: Danger[] = [];
  const files: FileUse[] = [];
  let folder: string | undefined;
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
      // Its other arguments are read from that folder, and so is it.
      files.push({
        word: target.value === undefined ? target : { ...target, value: '.' },
        access: 'read',
        isTree: false,
      });
      // The system goes through links before `..`, so that only the disk tells where it leads.
      if (target.value === undefined || folder !== undefined || /(?:^|\/)\.\.(?:\/|$)/.test(target.value))
        dangers.push(danger('runs in a folder that is only known then', word, target));
      folder = target.value;
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
  return { next: index, dangers, files, folder };
}

function subcommandDangers(
  name: string,
  word: ShellWord,
  operands: readonly ShellWord[],
  call: readonly ShellWord[],
): Danger[] {
  const [first] = operands;
  if (name === 'config' && !readsConfig(call)) {
    const changing = call
      .slice(1)
      .filter((argument) => /^-/.test(argument.value ?? '-') && !CONFIG_OPTION.test(argument.value ?? ''));
    return [
      danger('changes settings, which can run programs', word, ...call.slice(1)),
      ...changing.map((argument) => danger('changes settings, which can run programs', argument)),
    ];
  }
  if (name === 'bisect' || name === 'submodule') {
    if (first?.value === undefined && first !== undefined)
      return [danger('takes what it does from something unknown', word)];
    if (/^(?:visualize|view)$/.test(first?.value ?? ''))
      return [danger('opens another program', word, ...operands.slice(0, 1))];
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
  if (name === 'branch' && call.some(is(LISTS_BRANCHES)) && call.some(is(CHANGES_BRANCHES)))
    return [
      danger('changes branches although it seems to list them', ...call.filter(is(CHANGES_BRANCHES)).slice(0, 1)),
    ];
  return call
    .filter((argument) => /^--rebase=i/.test(argument.value ?? ''))
    .map((argument) => danger('opens an editor whose commands it runs', argument));
}

/** `git diff` and `git grep` read files that are no part of the repository, whatever option they seem to belong to. */
function filesOutside(name: string, call: readonly ShellWord[]): FileUse[] {
  if (name !== 'diff' && name !== 'grep') return [];
  const words = call.slice(1).filter(is(/^(?:\/|~)|(?:^|\/)\.\.(?:\/|$)/));
  return words.map((word) => ({ word, access: 'read', isTree: false }));
}

function is(pattern: RegExp): (word: ShellWord) => boolean {
  return (word) => pattern.test(word.value ?? '');
}

/** Every option is one that reads, and one of them says so; a name alone is read, too. */
function readsConfig(call: readonly ShellWord[]): boolean {
  if (call.length === 2 && /^[A-Za-z][\w-]*\.[\w.-]+$/.test(call[1]?.value ?? '')) return true;
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

/** Without options that print more than names. */
function printsPlainNames(call: readonly ShellWord[]): boolean {
  return call
    .slice(1)
    .every(
      (word) =>
        word.value !== undefined &&
        !/\.\.|^:|^-(?!z$|m$|o$|c$|-others$|-modified$|-cached$|-exclude-standard$|-$)/.test(word.value),
    );
}

/**
 * What a subcommand prints of files that are named by a commit (`HEAD:path`), by a pattern of git's own, or not at all. It comes
 * from the repository, so it is never outside; it counts for rules that ask or deny.
 */
function filesInHistory(name: string, call: readonly ShellWord[], operands: readonly ShellWord[]): FileUse[] {
  if (!PRINTS_CONTENT.has(name) && !call.some(is(/^-(?:p|u|U\d*|L.*|c|-patch.*|-cc|-full-diff)$/))) return [];
  if (call.some(is(/^--(?:name-only|name-status|stat|shortstat|numstat|no-patch|summary|check|quiet)(?:=|$)|^-s$/)))
    return [];
  const guess = { access: 'read', isGuess: true, isFromRoot: true } as const;
  const named = operands.flatMap((word) => {
    const path = /^[^:]*:(?:[0-3]:)?(?:\.\/)?(.+)$/s.exec(word.value ?? '')?.[1];
    return path === undefined || MAGIC.test(word.value ?? '')
      ? []
      : [{ ...guess, word: literalWord(path, word.text), isTree: true }];
  });
  const paths = operands.filter(
    (word) => word.value !== undefined && !MAGIC.test(word.value) && /[./]/.test(word.value),
  );
  const isNamed =
    named.length > 0 ||
    (name !== 'grep' &&
      paths.length > 0 &&
      paths.length === operands.filter((word) => !is(/^[\w@^~{}-]+$/)(word)).length);
  return isNamed && !operands.some(is(MAGIC)) ? named : [...named, { ...guess, word: literalWord('.'), isTree: true }];
}

const PRINTS_CONTENT = new Set(
  'show diff grep archive cat-file format-patch bundle diff-tree diff-index diff-files whatchanged range-diff'.split(
    ' ',
  ),
);
/** Patterns of git: `*.env`, `:(glob)**`, `:/`. */
const MAGIC = /[*?[]|^:[(/!^]/;
const LISTS_BRANCHES =
  /^(?:-v+|-a|-r|-l|--list|--all|--remotes|--verbose|--(?:no-)?(?:merged|contains).*|--points-at.*|--sort.*|--format.*)$/;
const CHANGES_BRANCHES =
  /^(?:-[a-zA-Z]*[dDmMcCfut][a-zA-Z]*|--(?:del|mov|cop|forc|set-up|unset|edit|tra|no-tra|create).*)$/;

export const GIT: Readonly<Record<string, CommandProfile>> = { git: { lookInstead: lookIntoGit } };

const REMOTE_HELPER = /^[A-Za-z0-9]*::|^(?:ssh:\/\/)?-|^[a-z+]*:\/\/-/;
const READS_CONFIG = /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l)$/;
const CONFIG_OPTION =
  /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|--show-origin|--show-scope|--global|--local|--system|--name-only|--bool|--int|--null|-z|--default=.*|--type=\w+)$/;
/** Names of commits, which are no files. */
const REVISION = /^(?:HEAD|@)(?:[~^@{}\d]*)$/;
const HARMLESS_CONFIG =
  /^(?:color\.[a-z.]+=\w*|core\.quote[pP]ath=\w+|core\.pager=(?:cat)?|log\.\w+=\w+|advice\.\w+=\w+|diff\.(?:renames|noprefix|context|algorithm)=\w+|user\.(?:name|email)=[^$`]*)$/;
