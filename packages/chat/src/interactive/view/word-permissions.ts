import type { Transcript } from '@parley/client';
import { PERMISSION_MODES } from '@parley/policy/modes';
import type { ChatOptions } from '../../conversation/chat-options.ts';
import { PERMISSION_CATEGORY } from '../../conversation/permission-steps.ts';

/** What runs without asking, where that is not what everybody expects. */
export interface PermissionWords {
  readonly text: string;
  /** Nobody is asked about anything. */
  readonly isAlarming: boolean;
}

/** What the flags allow, and what the agent's own options allow: whichever allows more is what counts. */
export function wordPermissions(
  { permissionMode = 'default' }: Pick<ChatOptions, 'permissionMode'>,
  transcript: Transcript | undefined,
): readonly PermissionWords[] {
  if (permissionMode === 'denyAll') return [{ text: 'denies all', isAlarming: false }];
  const chosen = (transcript?.options ?? [])
    .filter(({ category }) => category === PERMISSION_CATEGORY)
    .map(({ currentValue }) => (currentValue === true ? 'bypassPermissions' : String(currentValue)));
  const modes = new Set([permissionMode, ...chosen]);
  const noticed = Object.values(PERMISSION_MODES).flatMap(({ id, notice, approves }): PermissionWords[] =>
    modes.has(id) && notice !== undefined ? [{ text: notice, isAlarming: approves === 'everything' }] : [],
  );
  return [noticed.find(({ isAlarming }) => isAlarming) ?? noticed[0]].filter((words) => words !== undefined);
}
