import type { ToolKind } from '@parley/protocol';

/** What is allowed without asking, apart from rules. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan';

/** One row of the table of modes. */
export interface PermissionModeEntry {
  readonly id: PermissionMode;
  readonly name: string;
  readonly description: string;
  /** Kinds that run without asking, as long as their files are in the workspace; `everything` knows no bounds. */
  readonly approves: readonly ToolKind[] | 'everything';
  /** What becomes of everything else: `deny` where nothing is ever put to a person. */
  readonly otherwise: 'ask' | 'deny';
}

/** The four permission modes. Deny rules hold in each of them. */
export const PERMISSION_MODES: Readonly<Record<PermissionMode, PermissionModeEntry>> = {
  default: {
    id: 'default',
    name: 'Ask',
    description: 'Approves nothing by itself; asks for every tool that no rule allows',
    approves: [],
    otherwise: 'ask',
  },
  acceptEdits: {
    id: 'acceptEdits',
    name: 'Accept edits',
    description: 'Approves file operations in the workspace; asks for commands and everything external',
    approves: ['read', 'search', 'edit', 'delete', 'move', 'think'],
    otherwise: 'ask',
  },
  bypassPermissions: {
    id: 'bypassPermissions',
    name: 'Bypass permissions',
    description: 'Approves everything that no rule denies and never asks. Dangerous',
    approves: 'everything',
    otherwise: 'deny',
  },
  plan: {
    id: 'plan',
    name: 'Plan',
    description: 'Runs nothing and asks nothing; only reading that a rule allows',
    approves: [],
    otherwise: 'deny',
  },
};

/** Shell commands that are file operations, and so belong to `acceptEdits`. */
export const FILE_COMMANDS: ReadonlySet<string> = new Set(['mkdir', 'rm', 'mv']);

/** Kinds that change nothing: what a rule may still allow in plan mode. */
export const READING_KINDS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'think']);

export function isPermissionMode(id: string): id is PermissionMode {
  return Object.hasOwn(PERMISSION_MODES, id);
}

/** The mode that a client's switch "approve tools automatically" stands for. */
export function modeForAutoApprove(autoApproveTools: boolean): PermissionMode {
  return autoApproveTools ? 'bypassPermissions' : 'default';
}
