import type { ContentBlock } from '@parley/protocol';
import type { List } from './list.ts';

/** The blocks with one more; a piece of plain text continues the plain text before it. */
export function appendContent(content: List<ContentBlock>, block: ContentBlock): List<ContentBlock> {
  const last = content.at(-1);
  if (!last || !isPlainText(last) || !isPlainText(block)) return content.push(block);
  return content.set(content.length - 1, { type: 'text', text: last.text + block.text });
}

export function textOf(block: ContentBlock): string {
  return block.type === 'text' && typeof block.text === 'string' ? block.text : '';
}

/** Text with annotations of its own stays a block of its own. */
function isPlainText(block: ContentBlock): block is ContentBlock & { type: 'text' } {
  return block.type === 'text' && block.annotations == null && block._meta == null;
}
