import type { Turn } from '@parley/agent';
import { answerMark, PERSON_ONLY_MARK } from '../loop/log-marks.ts';
import { behaviourOf, PERMISSION_OPTION, permissionModeOf } from '../session/session-options.ts';
import type { SessionOperations } from '../tools/operations.ts';

/** What tools may change about the conversation of one turn. */
export function sessionOperations(turn: Turn, answer: () => number): SessionOperations {
  let notes = 0;
  return {
    plan: (entries) => void turn.update({ type: 'plan', entries, meta: answerMark(answer()) }),
    // For the log and the person; the model is told of its note as of a call.
    think: (text) =>
      void turn.update({
        type: 'thought_chunk',
        messageId: `note-${turn.id}-${++notes}`,
        content: { type: 'text', text },
        meta: { ...PERSON_ONLY_MARK },
      }),
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
