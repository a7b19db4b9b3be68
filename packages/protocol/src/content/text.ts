import type { ContentBlock, SessionUpdate } from '../v1/types.gen.ts';

/** The text of a message: its text blocks, one per line. Contained resources are not part of what was said. */
export function textOfContent(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Whose words to take from updates. */
export type Speaker = 'user' | 'agent' | 'thought';

/** What was said in the course of updates. Chunks are pieces of one text, so nothing is put between them. */
export function textOfUpdates(updates: Iterable<SessionUpdate>, speaker: Speaker = 'agent'): string {
  let text = '';
  for (const update of updates) {
    const block = spokenBlock(update, speaker);
    if (block?.type === 'text') text += block.text;
  }
  return text;
}

function spokenBlock(update: SessionUpdate, speaker: Speaker): ContentBlock | undefined {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return speaker === 'user' ? update.content : undefined;
    case 'agent_message_chunk':
      return speaker === 'agent' ? update.content : undefined;
    case 'agent_thought_chunk':
      return speaker === 'thought' ? update.content : undefined;
    default:
      return undefined;
  }
}
