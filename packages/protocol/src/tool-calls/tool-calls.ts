import type { SessionUpdate, ToolCall, ToolCallStatus, ToolCallUpdate } from '../v1/types.gen.ts';

/** A tool call after an update: only the fields that the update names change, and lists replace what was there. */
export function applyToolCallUpdate(call: ToolCall, update: ToolCallUpdate): ToolCall {
  const changes = Object.entries(update).filter(([key, value]) => {
    return value !== null && value !== undefined && key !== 'sessionUpdate';
  });
  return { ...call, ...(Object.fromEntries(changes) as Partial<ToolCall>) };
}

/** Each tool call once, in its latest state, in the order of first mention. */
export function latestToolCalls(updates: Iterable<SessionUpdate>): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const update of updates) {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue;
    // An update may come first, when its beginning was missed; it then stands for a call without a title.
    const known = calls.get(update.toolCallId) ?? { toolCallId: update.toolCallId, title: '' };
    calls.set(update.toolCallId, applyToolCallUpdate(known, update));
  }
  return [...calls.values()];
}

/** What is not said: a call without a status is pending. */
export function toolCallStatus(call: { readonly status?: ToolCallStatus | null }): ToolCallStatus {
  return call.status ?? 'pending';
}

/** Nothing about the call changes any more. */
export function isFinalStatus(status: ToolCallStatus): boolean {
  return status === 'completed' || status === 'failed';
}

export interface ToolCallFilter {
  readonly status?: ToolCallStatus;
  /** A text to be found in the title, or a pattern that fits it. */
  readonly title?: string | RegExp;
}

export function filterToolCalls<Call extends Pick<ToolCall, 'status' | 'title'>>(
  calls: readonly Call[],
  { status, title }: ToolCallFilter,
): Call[] {
  return calls.filter((call) => {
    if (status !== undefined && toolCallStatus(call) !== status) return false;
    if (title === undefined) return true;
    return typeof title === 'string' ? call.title.includes(title) : call.title.search(title) >= 0;
  });
}

export function hasFailedToolCall(calls: readonly Pick<ToolCall, 'status'>[]): boolean {
  return calls.some((call) => call.status === 'failed');
}

/** The key in `_meta` of an answer under which Parley's client says why not, where a rule said no or nobody was there to ask. */
export const PERMISSION_REASON = 'parley/because';
