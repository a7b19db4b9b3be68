import type { ToolKind } from '@parley/protocol';
import { matchesText } from '../glob.ts';
import { PERMISSION_MODES } from '../modes/permission-modes.ts';
import type { Match } from '../pattern/match.ts';
import { coversTarget, isTargetInside, type Target, touchesTarget } from '../rules/target.ts';
import { hasBelow } from '../workspace/disk.ts';
import { isInside, type Workspace } from '../workspace/paths.ts';
import { type Finding, strictest } from './decision.ts';
import type { CompiledRule, Policy } from './policy.ts';

/** One file operation to judge. `touch` is for a program that may read or write what it is given. */
export interface FileOperation {
  readonly text: string;
  readonly access: 'read' | 'search' | 'write' | 'delete' | 'move' | 'touch';
  readonly target: Target;
  /** The name of the tool, for rules that name it; none for a redirect. */
  readonly tool?: string;
  /** It is copied under its own name to another place. */
  readonly isCopied?: boolean;
  /** It is in the records of git, whatever is on the disk. */
  readonly isRecorded?: boolean;
  /** Our own search tools leave denied files out by themselves. */
  readonly skipsDenied?: boolean;
}

const KINDS: Readonly<Record<FileOperation['access'], readonly ToolKind[]>> = {
  read: ['read'],
  search: ['search'],
  write: ['edit'],
  delete: ['delete'],
  move: ['move'],
  touch: ['edit'],
};
/** Which rules of the wide reading are about an access: to read is also to search, any change is an edit. */
const WIDE_KINDS: Readonly<Record<FileOperation['access'], readonly ToolKind[]>> = {
  read: ['read', 'search'],
  search: ['read', 'search'],
  write: ['edit', 'delete', 'move'],
  delete: ['edit', 'delete', 'move'],
  move: ['read', 'search', 'edit', 'delete', 'move'],
  touch: ['read', 'search', 'edit', 'delete', 'move'],
};

/** Judges a file operation of its own: a redirect, or the file of a file tool. */
export function judgeFile(policy: Policy, operation: FileOperation): Finding {
  const hard = judgeHard(policy, operation);
  if (hard !== undefined) return hard;
  const { text, access, target } = operation;
  const inside = isTargetInside(target, policy.workspace);
  const rule = findFileAllow(policy, operation, inside === 'yes');
  if (rule) return { verdict: 'allow', reason: 'rule', text, rule: rule.rule };
  if (inside === 'maybe')
    return { verdict: 'ask', reason: 'opaque', text, detail: 'names a file that is only known when it runs' };
  if (inside === 'no')
    return {
      verdict: 'ask',
      reason: 'outside',
      text,
      detail: `${access === 'read' || access === 'search' ? 'reads' : 'changes'} something outside the workspace`,
    };
  const { approves } = PERMISSION_MODES[policy.mode];
  const isApproved = approves !== 'everything' && KINDS[access].every((kind) => approves.includes(kind));
  return isApproved ? { verdict: 'allow', reason: 'mode', text } : { verdict: 'ask', reason: 'no-rule', text };
}

/** What no allow rule can overrule: deny and ask rules, and protected files. */
export function judgeHard(policy: Policy, operation: FileOperation): Finding | undefined {
  const { text, access, target } = operation;
  const findings: Finding[] = [];
  for (const effect of ['deny', 'ask'] as const) {
    for (const compiled of policy.rules[effect]) {
      const match = matchWide(compiled, operation, policy.workspace);
      if (match === 'no') continue;
      const rule = compiled.rule;
      if (effect === 'ask') findings.push({ verdict: 'ask', reason: 'rule', text, rule });
      else if (match === 'yes' && access !== 'touch') findings.push({ verdict: 'deny', reason: 'rule', text, rule });
      else findings.push({ verdict: 'ask', reason: 'may-be-denied', text, rule });
    }
  }
  const isRead = access === 'read' || access === 'search';
  if (!isRead || operation.isCopied === true) {
    const name = policy.protectedPaths.find(target);
    if (name !== undefined) findings.push({ verdict: 'ask', reason: 'protected', text, detail: name });
    else if (target.isTree && access !== 'touch' && access !== 'read' && holdsWorkspace(policy, target)) {
      findings.push({ verdict: 'ask', reason: 'protected', text, detail: 'the whole workspace' });
    }
  }
  if (isRead) {
    const name = findCredential(policy, target);
    if (name !== undefined) findings.push({ verdict: 'ask', reason: 'protected', text, detail: name, isRead: true });
  }
  return strictest(findings);
}

/** The allow rule that covers all of it. A rule without a pattern covers the workspace. */
export function findFileAllow(
  policy: Policy,
  operation: FileOperation,
  isInWorkspace: boolean,
): CompiledRule | undefined {
  return policy.rules.allow.find((compiled) => {
    if (!isAbout(compiled, operation, KINDS[operation.access], false)) return false;
    return compiled.globs === undefined ? isInWorkspace : coversTarget(compiled.globs, operation.target);
  });
}

function matchWide(compiled: CompiledRule, operation: FileOperation, workspace: Workspace): Match {
  const { access, target, skipsDenied } = operation;
  if (!isAbout(compiled, operation, WIDE_KINDS[access], true)) return 'no';
  // A rule against all reading or writing is about programs that are known to do so, not about every word of a command.
  if (compiled.globs === undefined) return access === 'touch' ? 'no' : 'yes';
  const match = touchesTarget(compiled.globs, target, operation.isRecorded === true ? undefined : workspace);
  return match === 'maybe' && skipsDenied === true ? 'no' : match;
}

/** Is the rule about this kind of access, or about the tool by its name? */
function isAbout(
  compiled: CompiledRule,
  { tool = '' }: FileOperation,
  kinds: readonly ToolKind[],
  isWide: boolean,
): boolean {
  if (compiled.nameGlob !== undefined)
    return tool !== '' && matchesText(compiled.nameGlob, isWide ? tool.toLowerCase() : tool);
  return isWide
    ? kinds.some((kind) => compiled.kinds?.includes(kind))
    : kinds.every((kind) => compiled.kinds?.includes(kind));
}

/** A name below which nothing is read without a question: in the path, below a folder that is searched, or in the home folder. */
function findCredential({ protectedPaths, workspace }: Policy, target: Target): string | undefined {
  const { paths, hits = [], isTree, skipsHidden } = target;
  // On the disk a pattern means the files that it meets.
  const isMet = workspace.realPath !== undefined && workspace.listFolder !== undefined;
  const named = protectedPaths.findCredential(isMet ? { ...target, globs: [] } : target);
  if (named !== undefined || !isTree) return named;
  const folders = [...paths, ...hits];
  const isCredential = (path: string): boolean =>
    protectedPaths.findCredential({ ...target, paths: [path], hits: [], globs: [] }) !== undefined;
  for (const folder of folders) {
    const below = protectedPaths.findCredentialBelow(folder);
    if (below !== undefined && hasBelow([folder], workspace, isCredential)) return below;
  }
  const { home } = workspace;
  const holdsHome = home !== undefined && !skipsHidden && folders.some((folder) => isInside(folder, home));
  return holdsHome ? 'the whole home folder' : undefined;
}

function holdsWorkspace({ workspace }: Policy, target: Target): boolean {
  const roots = [workspace.cwd, ...(workspace.additionalDirectories ?? [])];
  return target.paths.some((path) => roots.some((root) => isInside(path, root)));
}
