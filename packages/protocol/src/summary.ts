import { textOfUpdates } from './content/text.ts';
import { latestPlan, planProgress } from './plan.ts';
import { filterToolCalls, hasFailedToolCall, latestToolCalls } from './tool-calls/tool-calls.ts';
import type { PlanEntry, SessionUpdate, ToolCall } from './v1/types.gen.ts';

/** What a turn came to. */
export interface UpdateSummary {
  readonly text: string;
  readonly thoughts: string;
  readonly toolCalls: readonly ToolCall[];
  readonly completedToolCalls: readonly ToolCall[];
  readonly failedToolCalls: readonly ToolCall[];
  readonly plan: readonly PlanEntry[];
  /** In whole percent. */
  readonly planProgress: number;
  readonly hasErrors: boolean;
}

/** Sums up the updates of a turn. */
export function summarizeUpdates(updates: readonly SessionUpdate[]): UpdateSummary {
  const toolCalls = latestToolCalls(updates);
  const plan = latestPlan(updates);
  return {
    text: textOfUpdates(updates),
    thoughts: textOfUpdates(updates, 'thought'),
    toolCalls,
    completedToolCalls: filterToolCalls(toolCalls, { status: 'completed' }),
    failedToolCalls: filterToolCalls(toolCalls, { status: 'failed' }),
    plan,
    planProgress: planProgress(plan),
    hasErrors: hasFailedToolCall(toolCalls),
  };
}
