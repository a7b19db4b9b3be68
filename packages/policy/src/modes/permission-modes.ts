import type { ToolKind } from '@parley/protocol';

/** What is allowed without asking, apart from rules. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan';

/** One row of the table of modes: all that a mode does. */
export interface PermissionModeEntry {
  readonly id: PermissionMode;
  readonly name: string;
  readonly description: string;
  /** What a status line says of it, where the mode is not what everybody expects. */
  readonly notice?: string;
  /** Kinds that run without asking, as long as their files are in the workspace; `everything` knows no bounds. */
  readonly approves: readonly ToolKind[] | 'everything';
  /** `mkdir`, `rm` and `mv` within the workspace count as file operations. */
  readonly approvesFileCommands?: boolean;
  /** A client may leave plan mode in the name of its person. */
  readonly approvesModeSwitch?: boolean;
  /** A client may take a lasting approval where the agent offers no other: less is not meant. */
  readonly approvesLasting?: boolean;
  /** What becomes of everything else: `deny` where nothing is ever put to a person. */
  readonly otherwise: 'ask' | 'deny';
}

/** The permission modes. Deny rules hold in each of them. A new mode is its name above and a row here. */
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
    notice: 'accepts edits',
    approves: ['read', 'search', 'edit', 'delete', 'move'],
    approvesFileCommands: true,
    otherwise: 'ask',
  },
  bypassPermissions: {
    id: 'bypassPermissions',
    name: 'Bypass permissions',
    description: 'Approves everything that no rule denies without asking. Dangerous',
    notice: 'asks nothing',
    approves: 'everything',
    approvesModeSwitch: true,
    approvesLasting: true,
    otherwise: 'deny',
  },
  plan: {
    id: 'plan',
    name: 'Plan',
    description: 'Runs nothing and asks no permission; only reading that a rule allows',
    notice: 'runs nothing',
    approves: [],
    otherwise: 'deny',
  },
};

/** Shell commands that are file operations. */
export const FILE_COMMANDS: ReadonlySet<string> = new Set(['mkdir', 'rm', 'mv']);

/** Kinds that change nothing: what a rule may still allow in plan mode. */
export const READING_KINDS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'think']);

/** Kinds that are about files, whose place decides whether a mode approves them. */
export const FILE_KINDS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'edit', 'delete', 'move']);

/** The ids of all permission modes, in the order of the table. */
export function permissionModeIds(): PermissionMode[] {
  return Object.values(PERMISSION_MODES).map(({ id }) => id);
}

export function isPermissionMode(id: string): id is PermissionMode {
  return Object.hasOwn(PERMISSION_MODES, id);
}

/** The mode that a client's switch "approve tools automatically" stands for. */
export function modeForAutoApprove(autoApproveTools: boolean): PermissionMode {
  return autoApproveTools ? 'bypassPermissions' : 'default';
}
