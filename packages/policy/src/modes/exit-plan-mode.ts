import type { PermissionOption } from '@parley/protocol';
import type { PermissionMode } from './permission-modes.ts';
import type { BehaviourModeId } from './tool-sets.ts';

/** The two modes of a session: what the agent may do at all, and what it may do without asking. */
export interface ModeState {
  readonly behaviour: BehaviourModeId;
  readonly permission: PermissionMode;
}

/** One way out of planning. */
interface Exit {
  readonly option: PermissionOption;
  /** Where it leads; absent for staying. */
  readonly leadsTo?: ModeState;
}

const EXITS: readonly Exit[] = [
  {
    option: { optionId: 'acceptEdits', name: 'Yes, and accept file edits', kind: 'allow_always' },
    leadsTo: { behaviour: 'code', permission: 'acceptEdits' },
  },
  {
    option: { optionId: 'default', name: 'Yes, and ask before each change', kind: 'allow_once' },
    leadsTo: { behaviour: 'code', permission: 'default' },
  },
  { option: { optionId: 'plan', name: 'No, keep planning', kind: 'reject_once' } },
];

/** Is the session planning, so that leaving the plan can be offered? */
export function isPlanning(state: ModeState): boolean {
  return state.behaviour === 'architect' || state.permission === 'plan';
}

/** The options of the question "implement this plan?", which is a `session/request_permission` of kind `switch_mode`. */
export function exitPlanOptions(): PermissionOption[] {
  return EXITS.map((exit) => ({ ...exit.option }));
}

/** The modes after the person's choice. An option that is not ours changes nothing. */
export function applyExitPlan(state: ModeState, optionId: string): ModeState {
  if (!isPlanning(state)) return state;
  return EXITS.find((exit) => exit.option.optionId === optionId)?.leadsTo ?? state;
}
