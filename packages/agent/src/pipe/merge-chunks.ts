import type { ContentBlock, SessionEvent } from '@parley/protocol';

/** Longest text that pieces are joined to; beyond it the log gets a further event. */
const MAX_MERGED_CHARACTERS = 32_768;

/** One event that says the same as two pieces of the agent's text in a row; undefined when they must stay apart. */
export function mergeChunks(first: SessionEvent, second: SessionEvent): SessionEvent | undefined {
  if (first.type !== second.type || first.meta !== undefined || second.meta !== undefined) return undefined;
  if (first.type === 'message_chunk' && second.type === 'message_chunk') {
    // The blocks of a prompt are the person's; they come back one by one as they were sent.
    if (first.speaker !== 'agent' || second.speaker !== 'agent' || first.messageId !== second.messageId)
      return undefined;
    const content = mergeText(first.content, second.content);
    return content && { ...first, content };
  }
  if (first.type === 'thought_chunk' && second.type === 'thought_chunk') {
    if (first.messageId !== second.messageId) return undefined;
    const content = mergeText(first.content, second.content);
    return content && { ...first, content };
  }
  return undefined;
}

function mergeText(first: ContentBlock, second: ContentBlock): ContentBlock | undefined {
  if (first.type !== 'text' || second.type !== 'text' || !isPlain(first) || !isPlain(second)) return undefined;
  if (first.text.length + second.text.length > MAX_MERGED_CHARACTERS) return undefined;
  return { type: 'text', text: first.text + second.text };
}

function isPlain(content: { readonly annotations?: unknown; readonly _meta?: unknown }): boolean {
  return content.annotations === undefined && content._meta === undefined;
}
