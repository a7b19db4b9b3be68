import { type Fields, inWords, isRecord, only, without } from '../../fields.ts';
import { keep } from '../kept-facts.ts';

/** A block as text, for a place that takes nothing else. The block itself rides along. */
export function asText(block: Fields): Fields {
  if (block.type === 'text') return block;
  const own = without(block, 'annotations', '_meta');
  const text = { type: 'text', text: describe(block), ...only(block, ['annotations', '_meta']) };
  return keep(text, own, ['text']);
}

/** What a reader sees of a block that cannot be shown. */
export function describe(block: Fields): string {
  if (block.type === 'resource_link') return `[${inWords(block.name)}](${inWords(block.uri)})`;
  const resource = isRecord(block.resource) ? block.resource : {};
  if (typeof resource.text === 'string') return fence(inWords(resource.uri), resource.text);
  if (block.type === 'resource') return `[resource ${inWords(resource.uri)}]`;
  return `[${inWords(block.type)} ${inWords(block.mimeType)}]`;
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fence(uri: string, text: string): string {
  const longest = text.match(/`{3,}/g)?.reduce((length, run) => Math.max(length, run.length), 2) ?? 2;
  const marks = '`'.repeat(longest + 1);
  return `${uri}\n${marks}\n${text}\n${marks}`;
}
