import type { ToolCallPart, ToolResult } from '@parley/models/model';
import type { ToolCallEvent } from '@parley/session';
import { partsOfContent } from './content-parts.ts';
import type { UnshownCall } from './log-marks.ts';

// Calls and their results, as the log of a session has them.

export function unshownResult(call: UnshownCall | undefined): Pick<ToolResult, 'content' | 'isError'> {
  const { text, isError } = call ?? { text: INTERRUPTED, isError: true };
  return { content: [{ type: 'text', text }], isError };
}

export function toCallPart({ toolCallId, name, rawInput }: ToolCallEvent): ToolCallPart {
  const input = typeof rawInput === 'object' && rawInput !== null ? (rawInput as Record<string, unknown>) : {};
  return { type: 'tool_call', id: toolCallId, name: name ?? '', input };
}

export function toResult({ toolCallId, name, status, content = [], rawOutput }: ToolCallEvent): ToolResult {
  const parts = content.flatMap((each) => (each.type === 'content' ? partsOfContent(each.content) : []));
  const isDone = status === 'completed' || status === 'failed' || status === 'cancelled';
  return {
    toolCallId,
    toolName: name ?? '',
    content:
      isDone && parts.length > 0 ? parts : [{ type: 'text', text: isDone ? textOfOutput(rawOutput) : INTERRUPTED }],
    isError: status !== 'completed',
  };
}

const INTERRUPTED = 'The call was interrupted before it finished; its effect is unknown.';

/** A command that ran in the client's terminal shows no text of its own; what the model read is kept raw. */
function textOfOutput(rawOutput: unknown): string {
  const { text } = (rawOutput ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : 'Done.';
}
