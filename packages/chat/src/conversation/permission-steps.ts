import { listValues, type Transcript } from '@parley/client';
import type { PermissionMode } from '@parley/policy/modes';
import type { ChatTarget } from './chat-options.ts';
import { modesOf } from './session-modes.ts';

/** What shift+tab switches to next. */
export type PermissionStep =
  /** An option of the agent that says what runs without asking, as our own has it. */
  | { readonly type: 'option'; readonly optionId: string; readonly value: string; readonly words: string }
  /** A mode of the agent. */
  | { readonly type: 'mode'; readonly modeId: string; readonly words: string }
  /** Our own policy, for an agent that has neither. */
  | { readonly type: 'policy'; readonly mode: PermissionMode; readonly words: string }
  | { readonly type: 'none'; readonly words: string };

/** Ask, accept edits, plan, and ask again. To bypass everything is never one key away. */
const STEPS: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** What each does, for the person who has just switched to it. */
const WORDS: { readonly [Mode in PermissionMode]: string } = {
  default: 'asks before edits and commands',
  acceptEdits: 'edits files here unasked, asks before commands',
  plan: 'plans only: no edits, no commands',
  bypassPermissions: 'asks nothing',
};

/** By the agent's own option for permissions, else by its modes, else by our policy; the first there is. */
export function nextPermissions(
  transcript: Transcript | undefined,
  { permissionMode, policyMode }: Pick<ChatTarget, 'permissionMode'> & { readonly policyMode: PermissionMode },
): PermissionStep {
  if (permissionMode === 'denyAll') return { type: 'none', words: '--deny-all allows nothing, in every mode' };
  const option = permissionOption(transcript);
  if (option) {
    const values = listValues(option).map(({ value }) => value);
    const next = after(
      STEPS.filter((mode) => values.includes(mode)),
      option.currentValue as PermissionMode,
    );
    return { type: 'option', optionId: option.id, value: next, words: WORDS[next] };
  }
  const { current, modes } = modesOf(transcript);
  const safe = modes.filter(({ id }) => id === current || !UNASKED.test(id));
  if (modes.length > 0) {
    const place = safe.findIndex(({ id }) => id === current);
    const next = safe[(place + 1) % safe.length];
    if (!next) return { type: 'none', words: 'this agent has one mode only' };
    return { type: 'mode', modeId: next.id, words: next.name };
  }
  const next = after(STEPS, policyMode);
  return { type: 'policy', mode: next, words: WORDS[next] };
}

/** Whether shift+tab switches what is asked, rather than a mode of the agent that may be about anything. */
export function switchesPermissions(
  transcript: Transcript | undefined,
  { permissionMode }: Pick<ChatTarget, 'permissionMode'>,
): boolean {
  if (permissionMode === 'denyAll') return false;
  return permissionOption(transcript) !== undefined || modesOf(transcript).modes.length === 0;
}

/** Modes that ask for nothing; they are chosen with /mode, where their names are read. */
const UNASKED = /bypass|yolo|dont.?ask|full.?access|danger/i;

function permissionOption(transcript: Transcript | undefined) {
  return transcript?.options.find(
    (option) =>
      option.category === PERMISSION_CATEGORY &&
      option.type === 'select' &&
      listValues(option).some(({ value }) => value === 'acceptEdits' || value === 'plan'),
  );
}

/** Under which our own agent has its options for permissions. */
export const PERMISSION_CATEGORY = '_permissions';

function after(steps: readonly PermissionMode[], current: PermissionMode): PermissionMode {
  return steps[(steps.indexOf(current) + 1) % steps.length] ?? 'default';
}
