import type { RuleLists } from '@parley/client';
import { usageError } from '@parley/host/command-line';
import { isPermissionMode, type PermissionMode, permissionModeIds } from '@parley/policy/modes';
import type { Config } from '../config/config.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { readPolicy } from './read-policy.ts';

/** What flags, policy and settings come to, before anybody is asked. */
export interface ChosenPermissions {
  readonly mode: PermissionMode;
  readonly rules: RuleLists;
  /** `--deny-all`: nothing is allowed, whatever rules, modes and earlier answers say. */
  readonly deniesAll: boolean;
  /** False when even a person who is there is not asked. */
  readonly mayAsk: boolean;
  /** What a question becomes when nobody can be asked. */
  readonly whenAlone: 'deny' | 'fail';
  /** How far an answer "always" reaches. */
  readonly rememberScope: 'session' | 'project' | 'user';
}

/**
 * Looking at the workspace changes nothing; everything else is asked for. `Think` is not among them: agents put their own
 * questions to the person as permission requests of that kind ("Delete the database? Yes / No").
 */
export const BUILT_IN_ALLOW: readonly string[] = ['Read', 'Search'];

export async function choosePermissions(flags: SharedFlags, config: Config, cwd: string): Promise<ChosenPermissions> {
  const wide = [
    flags.approveAll && '--approve-all',
    flags.approveReads && '--approve-reads',
    flags.denyAll && '--deny-all',
  ].filter((each) => typeof each === 'string');
  if (wide.length > 1) throw usageError(`${wide.join(' and ')} contradict each other; give one of them.`);
  const policy = flags.policy === undefined ? {} : await readPolicy(flags.policy, cwd);
  const { permissions = {} } = config;
  const allowsAll = flags.approveAll === true || policy.otherwise === 'allow';
  const deniesAll = flags.denyAll === true;
  const joined = (name: 'allow' | 'ask' | 'deny'): readonly string[] => [
    ...(permissions[name] ?? []),
    ...(policy[name] ?? []),
    ...(flags[name] ?? []),
  ];
  const rules = { allow: joined('allow'), ask: joined('ask'), deny: joined('deny') };
  await requireReadable(rules);
  const mode = requireMode(
    flags.permissionMode ?? (allowsAll ? 'bypassPermissions' : (policy.mode ?? permissions.mode ?? 'default')),
  );
  return {
    // What an agent does through us without asking is judged by mode and rules alone; these let nothing pass.
    mode: deniesAll ? 'plan' : mode,
    rules: deniesAll ? { deny: ['*', ...rules.deny] } : { ...rules, allow: [...BUILT_IN_ALLOW, ...rules.allow] },
    deniesAll,
    mayAsk: !deniesAll && policy.otherwise !== 'deny',
    whenAlone: requireWhenAlone(flags.nonInteractivePermissions ?? config.nonInteractivePermissions ?? 'deny'),
    // What an agent offers as "always" mostly means this session; only the person's own setting makes it more.
    rememberScope: permissions.remember ?? 'session',
  };
}

/** A rule that cannot be read is told now, not when the first question comes. */
async function requireReadable(rules: RuleLists): Promise<void> {
  if (Object.values(rules).every((list) => list.length === 0)) return;
  const { parseRules } = await import('@parley/policy');
  parseRules(rules, { scope: 'command-line' });
}

export function requireMode(mode: string): PermissionMode {
  if (isPermissionMode(mode)) return mode;
  throw usageError(`There is no permission mode "${mode}"; there are ${permissionModeIds().join(', ')}.`);
}

function requireWhenAlone(word: string): 'deny' | 'fail' {
  if (word === 'deny' || word === 'fail') return word;
  throw usageError(`--non-interactive-permissions is deny or fail, not "${word}".`);
}
