import type { ToolKind } from '@parley/protocol';
import { WorkspaceError } from '../errors.ts';
import { foldGlob, type Glob } from '../glob.ts';
import type { Remembered } from '../memory/remembered.ts';
import { indexRemembered, type RememberedIndex } from '../memory/remembered-index.ts';
import type { PermissionMode } from '../modes/permission-modes.ts';
import type { ToolSet } from '../modes/tool-sets.ts';
import { type CommandPattern, EVERY_COMMAND, foldCommandPattern } from '../pattern/command-pattern.ts';
import { narrowGlobs, wideGlobs } from '../pattern/path-pattern.ts';
import type { UrlPattern } from '../pattern/url-pattern.ts';
import { languageOfName } from '../request/tool-class.ts';
import { groupBy } from '../rules/group-by.ts';
import { createProtectedPaths, type ProtectedPaths } from '../rules/protected-paths.ts';
import { type Effect, parseRule, type Rule } from '../rules/rule.ts';
import type { Part } from '../shell/analysis.ts';
import { isAbsolute, normalizePath, type Workspace } from '../workspace/paths.ts';
import { type Cache, createCache } from './cache.ts';
import type { Finding } from './decision.ts';

export interface PolicyOptions {
  /** Where the session works. */
  readonly workspace: Workspace;
  /** Default: `default`, which asks for everything. */
  readonly mode?: PermissionMode;
  /** Rules, read already or as text: `Bash(git *)`, `deny Read(.env)`. Text is a rule of the session. */
  readonly rules?: readonly (Rule | string)[];
  /** The tool preset and the behaviour mode in force; a tool must exist in each. */
  readonly toolSets?: readonly ToolSet[];
  /** What the person answered before. */
  readonly remembered?: readonly Remembered[];
  /** Is there somebody to ask? Default: true. Without, every question is a denial. */
  readonly canAsk?: boolean;
  /** Names to protect besides PROTECTED_PATHS. */
  readonly protectedPaths?: readonly string[];
  /** How many command lines to keep the judgement of. Default: 1,024; 0 judges every time anew. */
  readonly maxCachedLines?: number;
  /**
   * The shell that runs command lines. `bash`: bash. `sh`: some shell that is like it; what those read differently is asked about.
   * `other`: cmd.exe, PowerShell and the like, whose lines are not looked into. Default: `sh`.
   */
  readonly shell?: Shell;
}

/** The shell that runs a command line. */
export type Shell = 'bash' | 'sh' | 'other';

/** Everything a decision depends on, prepared once. It never changes: make a new one when something else does. */
export interface Policy {
  readonly workspace: Workspace;
  readonly mode: PermissionMode;
  readonly toolSets: readonly ToolSet[];
  readonly canAsk: boolean;
  readonly rules: Readonly<Record<Effect, readonly CompiledRule[]>>;
  /** The rules about commands, by the program they name. */
  readonly commands: Readonly<Record<Effect, CommandIndex>>;
  readonly protectedPaths: ProtectedPaths;
  /** Are there rules that deny commands or files, so that what cannot be looked into may fall under one? */
  readonly hasDenyRules: boolean;
  readonly remembered: RememberedIndex;
  readonly shell: Shell;
  /**
   * What was found out about the command lines that came last: agents run the same few lines over and over. Judgements are cached
   * only where they do not depend on the disk; what a line says never does.
   */
  readonly cache: Cache<CachedLine>;
}

/** A command line that was read, and judged if that holds for good. */
export interface CachedLine {
  readonly parts: readonly Part[];
  readonly findings?: readonly Finding[];
}

/** A rule ready to be compared: ask and deny rules in their wide reading, allow rules in their narrow one. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly kinds?: readonly ToolKind[];
  readonly nameGlob?: Glob;
  readonly command?: CommandPattern;
  /** Absolute path globs; absent when the rule has no pattern. */
  readonly globs?: readonly Glob[];
  readonly url?: UrlPattern;
}

export interface CommandIndex {
  readonly byProgram: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Rules whose first word has a wildcard. */
  readonly others: readonly CompiledRule[];
}

const MAX_CACHED_LINES = 1024;

/** Prepares rules, mode, presets and memory for `decide`. Throws RuleSyntaxError or WorkspaceError. */
export function createPolicy(options: PolicyOptions): Policy {
  const {
    mode = 'default',
    rules = [],
    toolSets = [],
    remembered = [],
    canAsk = true,
    maxCachedLines = MAX_CACHED_LINES,
  } = options;
  const workspace = readWorkspace(options.workspace);
  const index = indexRemembered(remembered);
  const parsed = [...rules.map((rule) => (typeof rule === 'string' ? parseRule(rule) : rule)), ...index.rules];
  const byEffect = (effect: Effect) =>
    parsed.filter((rule) => rule.effect === effect).map((rule) => compile(rule, workspace));
  const compiled = { deny: byEffect('deny'), ask: byEffect('ask'), allow: byEffect('allow') };
  return {
    workspace,
    mode,
    toolSets,
    canAsk,
    rules: compiled,
    commands: {
      deny: indexCommands(compiled.deny),
      ask: indexCommands(compiled.ask),
      allow: indexCommands(compiled.allow),
    },
    protectedPaths: createProtectedPaths(
      [workspace.cwd, ...(workspace.additionalDirectories ?? [])],
      options.protectedPaths,
    ),
    hasDenyRules: compiled.deny.some((rule) => rule.kinds !== undefined || rule.command !== undefined),
    remembered: index,
    shell: options.shell ?? 'sh',
    cache: createCache(maxCachedLines),
  };
}

function readWorkspace(workspace: Workspace): Workspace {
  const { cwd, additionalDirectories = [], home } = workspace;
  const wrong = [cwd, ...additionalDirectories, ...(home === undefined ? [] : [home])].find(
    (folder) => !isAbsolute(folder),
  );
  if (wrong !== undefined) throw new WorkspaceError(wrong);
  return { ...workspace, cwd: normalizePath(cwd), additionalDirectories: additionalDirectories.map(normalizePath) };
}

function compile(rule: Rule, workspace: Workspace): CompiledRule {
  const isWide = rule.effect !== 'allow';
  const { pattern, target } = rule;
  const about =
    target.type === 'class'
      ? { kinds: target.toolClass.kinds }
      : { nameGlob: isWide ? foldGlob(target.glob) : target.glob };
  const isCommand =
    target.type === 'class' ? target.toolClass.pattern === 'command' : languageOfName(target.name) === 'command';
  if (pattern === undefined)
    return { rule, ...about, ...(isCommand || isAnyTool(rule) ? { command: EVERY_COMMAND } : {}) };
  if (pattern.type === 'command') return { rule, ...about, command: isWide ? foldCommandPattern(pattern) : pattern };
  if (pattern.type === 'url') return { rule, ...about, url: pattern };
  return { rule, ...about, globs: isWide ? wideGlobs(pattern, workspace) : narrowGlobs(pattern, workspace) };
}

/** `*` stands for every tool. */
function isAnyTool(rule: Rule): boolean {
  return rule.target.type === 'name' && rule.target.name === '*';
}

/** Every list holds the rules for any program too, so that one look-up finds all that can apply. */
function indexCommands(rules: readonly CompiledRule[]): CommandIndex {
  const commands = rules.filter((compiled) => compiled.command !== undefined);
  const programOf = (compiled: CompiledRule) => compiled.command?.words[0]?.literal;
  const others = commands.filter((compiled) => programOf(compiled) === undefined);
  const named = groupBy(commands, programOf);
  named.delete(undefined);
  const byProgram = new Map([...named].map(([name, found]) => [name ?? '', [...found, ...others]]));
  return { byProgram, others };
}
