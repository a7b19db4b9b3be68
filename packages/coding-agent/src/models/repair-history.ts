import {
  type AssistantMessage,
  type History,
  type HistoryMessage,
  type ToolMessage,
  type ToolResult,
  toolCallsOf,
} from './history.ts';

const INTERRUPTED = 'The call was interrupted before it finished; its effect is unknown.';

/**
 * Makes any history one that every provider accepts: each tool call is answered exactly once and directly after it,
 * answers without a call and messages without content are dropped. A turn that was cancelled or crashed in the middle
 * leaves such gaps. Returns an equal history when nothing is wrong.
 */
export function repairHistory(history: History): History {
  const repaired: HistoryMessage[] = [];
  history.forEach((message, index) => {
    if (message.role === 'tool') return;
    const kept = message.role === 'assistant' ? withoutEmptyParts(message) : message;
    if (kept.content.length === 0) return;
    repaired.push(kept);
    if (kept.role !== 'assistant') return;
    const results = resultsFor(kept, answersAfter(history, index));
    if (results.results.length > 0) repaired.push(results);
  });
  return repaired;
}

/** Providers refuse empty text; an unsigned empty thought says nothing. */
function withoutEmptyParts(message: AssistantMessage): AssistantMessage {
  const content = message.content.filter(
    (part) => part.type === 'tool_call' || part.text !== '' || part.signature !== undefined,
  );
  const saysNothing = content.every((part) => part.type === 'thought');
  return { role: 'assistant', content: saysNothing ? [] : content };
}

/** Ids are only unique within one answer (some local servers count from zero each time), so the next answer ends the search. */
function answersAfter(history: History, index: number): ReadonlyMap<string, ToolResult> {
  const answered = new Map<string, ToolResult>();
  for (const message of history.slice(index + 1)) {
    if (message.role === 'assistant') break;
    if (message.role === 'tool') for (const result of message.results) answered.set(result.toolCallId, result);
  }
  return answered;
}

function resultsFor(message: AssistantMessage, answered: ReadonlyMap<string, ToolResult>): ToolMessage {
  const results = toolCallsOf(message).map(
    (call): ToolResult =>
      answered.get(call.id) ?? {
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: 'text', text: INTERRUPTED }],
        isError: true,
      },
  );
  return { role: 'tool', results };
}
