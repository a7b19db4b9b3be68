import type { Turn } from '@parley/agent';
import { answerMark } from '../loop/log-marks.ts';
import type { SessionOperations } from '../operations/operations.ts';
import { behaviourOf, PERMISSION_OPTION, permissionModeOf } from '../session/session-options.ts';

/** What tools may change about the conversation of one turn. */
export function sessionOperations(turn: Turn, answer: () => number): SessionOperations {
  return {
    plan: (entries) => void turn.update({ type: 'plan', entries, meta: answerMark(answer()) }),
    async exitPlanMode(ask) {
      const { applyExitPlan, exitPlanOptions } = await import('@parley/policy');
      const { isAllowed, optionId } = await ask(exitPlanOptions());
      const { session } = turn;
      const state = { behaviour: behaviourOf(session), permission: permissionModeOf(session) };
      const next = isAllowed && optionId !== undefined ? applyExitPlan(state, optionId) : state;
      if (next === state) return false;
      turn.mode(next.behaviour);
      turn.option(PERMISSION_OPTION, next.permission);
      return true;
    },
  };
}
