import type { PlanEvent } from '../event.ts';
import type { PlanRecord, Transcript } from './transcript.ts';

/** Takes in a plan: it replaces the one with the same id, and leaves the others alone. */
export function applyPlan(transcript: Transcript, event: PlanEvent): Transcript {
  const { planId, entries, document, isRemoved } = event;
  const isSame = (plan: PlanRecord): boolean => plan.planId === planId;
  if (isRemoved) {
    const plans = transcript.plans.filter((plan) => !isSame(plan));
    const last = plans.at(-1);
    return { ...transcript, plans, plan: last?.entries ?? [], planDocument: last?.document };
  }
  const record: PlanRecord = { ...(planId !== undefined && { planId }), entries, ...(document && { document }) };
  const plans = transcript.plans.some(isSame)
    ? transcript.plans.map((plan) => (isSame(plan) ? record : plan))
    : [...transcript.plans, record];
  return { ...transcript, plans, plan: entries, planDocument: document };
}
