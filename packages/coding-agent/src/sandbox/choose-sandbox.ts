import type { PermissionDecision } from '@parley/agent';
import type { PermissionMode } from '@parley/policy';
import type { CommandSandbox } from '../operations/operations.ts';

/** Which commands run in the sandbox: none, those that nobody was asked about, or all. */
export type SandboxSetting = 'off' | 'unasked' | 'always';

export const SANDBOX_SETTINGS: readonly SandboxSetting[] = ['unasked', 'always', 'off'];

export interface SandboxChoice {
  readonly setting: SandboxSetting;
  readonly mode: PermissionMode;
  /** Why the command may run. */
  readonly permission: Pick<PermissionDecision, 'asked' | 'decision'>;
}

/**
 * The sandbox that a command runs in; undefined: none. A command that the user allowed, by an answer, a rule of their own or
 * `bypassPermissions`, runs outside, with everything else on its line: `npm test | tail` is one command to them.
 */
export function chooseSandbox({ setting, mode, permission }: SandboxChoice): CommandSandbox | undefined {
  if (setting === 'off') return undefined;
  const isOfUser = isAllowedByUser(permission, mode);
  if (isOfUser) return setting === 'always' ? 'workspace' : undefined;
  return mode === 'acceptEdits' ? 'workspace' : 'reading';
}

function isAllowedByUser({ asked, decision }: SandboxChoice['permission'], mode: PermissionMode): boolean {
  if (asked || decision === undefined) return true;
  if (decision.reason === 'remembered') return true;
  if (decision.reason === 'mode' && mode === 'bypassPermissions') return true;
  return decision.parts.some(({ verdict, rule }) => verdict === 'allow' && rule && rule.source.scope !== 'built-in');
}
