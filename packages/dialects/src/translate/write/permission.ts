import { type Fields, inWords, isRecord } from '../../fields.ts';
import type { SessionState } from '../state.ts';

/** What is known of a call's title: its own, or the one it had before. */
export function titleOf(toolCall: unknown, session: SessionState): string | undefined {
  if (!isRecord(toolCall)) return undefined;
  if (typeof toolCall.title === 'string') return toolCall.title;
  const known = typeof toolCall.toolCallId === 'string' ? session.toolCalls.get(toolCall.toolCallId)?.title : undefined;
  return typeof known === 'string' ? known : undefined;
}

/** A permission question in one sentence, for a dialect that has no tool call in it: what is done, and where. */
export function writeQuestion(toolCall: unknown, session: SessionState): string {
  const title = titleOf(toolCall, session) ?? 'Permission required';
  const locations = isRecord(toolCall) && Array.isArray(toolCall.locations) ? toolCall.locations : [];
  const paths = locations.flatMap((location) => (isRecord(location) ? [inWords(location.path)] : []));
  const unnamed = paths.filter((path) => !title.includes(path));
  return unnamed.length > 0 ? `${title} (${unnamed.join(', ')})` : title;
}

/** The first text in a call's content. */
export function firstText(toolCall: unknown): string | undefined {
  const items: readonly unknown[] = isRecord(toolCall) && Array.isArray(toolCall.content) ? toolCall.content : [];
  for (const item of items) {
    const block: unknown = isRecord(item) ? item.content : undefined;
    if (isRecord(block) && typeof block.text === 'string') return block.text;
  }
  return undefined;
}

/** The field `toolCall` of a question, where it is one. */
export function toolCallOf(params: Fields): Fields {
  return isRecord(params.toolCall) ? params.toolCall : {};
}
