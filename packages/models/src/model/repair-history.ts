import type { AssistantMessage, AssistantPart, History, HistoryMessage, ToolResult } from './history.ts';
import { safeCallId, safeToolName } from './tool-names.ts';

const INTERRUPTED = 'The call was interrupted before it finished; its effect is unknown.';

/**
 * Makes any history one that every provider accepts: each tool call has an id of its own and a valid name and is
 * answered exactly once and directly after it; answers without a call and messages without content are dropped. A turn
 * that was cancelled or crashed in the middle leaves such gaps. Returns an equal history when nothing is wrong, and the
 * same beginning for the same beginning, so that what is bound to it stays valid.
 */
export function repairHistory(history: History): History {
  const repaired: HistoryMessage[] = [];
  const takenIds = new Set<string>();
  history.forEach((message, index) => {
    if (message.role === 'tool') return;
    if (message.role === 'user') {
      if (message.content.length > 0) repaired.push(message);
      return;
    }
    const kept = withoutEmptyParts(message);
    if (kept.content.length === 0) return;
    const { answer, results } = withSafeCalls(kept, answersAfter(history, index), takenIds);
    repaired.push(answer);
    if (results.length > 0) repaired.push({ role: 'tool', results });
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
function answersAfter(history: History, index: number): Map<string, ToolResult[]> {
  const answered = new Map<string, ToolResult[]>();
  for (const message of history.slice(index + 1)) {
    if (message.role === 'assistant') break;
    if (message.role !== 'tool') continue;
    for (const result of message.results) {
      answered.set(result.toolCallId, [...(answered.get(result.toolCallId) ?? []), result]);
    }
  }
  return answered;
}

/** Calls of one id get their results in order. */
function withSafeCalls(
  message: AssistantMessage,
  answered: Map<string, ToolResult[]>,
  takenIds: Set<string>,
): { readonly answer: AssistantMessage; readonly results: readonly ToolResult[] } {
  const results: ToolResult[] = [];
  const content = message.content.map((part): AssistantPart => {
    if (part.type !== 'tool_call') return part;
    const id = distinctId(part.id, takenIds);
    const name = safeToolName(part.name);
    const found = answered.get(part.id)?.shift();
    results.push(
      found === undefined
        ? { toolCallId: id, toolName: name, content: [{ type: 'text', text: INTERRUPTED }], isError: true }
        : { ...found, toolCallId: id, toolName: name },
    );
    return id === part.id && name === part.name ? part : { ...part, id, name };
  });
  return { answer: { role: 'assistant', content }, results };
}

function distinctId(id: string, takenIds: Set<string>): string {
  let distinct = id;
  for (let count = 2; takenIds.has(safeCallId(distinct)); count++) distinct = `${id}-${count}`;
  takenIds.add(safeCallId(distinct));
  return distinct;
}
