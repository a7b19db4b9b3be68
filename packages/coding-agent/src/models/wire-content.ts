import type { AudioPart, ContentPart, ImagePart, ResourcePart } from './history/history.ts';
import type { AcceptedContent } from './model.ts';
import { shrinkPng } from './shrink-png.ts';

/** Content once a driver has to write it down: text, or a medium that this model accepts. */
export type WireContent = { readonly type: 'text'; readonly text: string } | ImagePart | AudioPart;

/** The least that a provider takes of one image, counted in base64 as Anthropic does. More would be refused with all the rest. */
const MAX_MEDIA_CHARACTERS = 5 * 1024 * 1024;

/** Resources become text; what the model cannot take becomes a note that says so, never silence. */
export function toWireContent(parts: readonly ContentPart[], accepts: AcceptedContent): readonly WireContent[] {
  return parts.map((part) => toWirePart(part, accepts));
}

function toWirePart(part: ContentPart, accepts: AcceptedContent): WireContent {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'resource':
      return { type: 'text', text: resourceText(part) };
    case 'image':
      if (!accepts.images) return leftOut('image', part.mimeType);
      return part.data.length > MAX_MEDIA_CHARACTERS ? (shrink(part) ?? tooLarge('image', part)) : part;
    case 'audio':
      if (!accepts.audio) return leftOut('audio recording', part.mimeType);
      return part.data.length > MAX_MEDIA_CHARACTERS ? tooLarge('audio recording', part) : part;
  }
}

/** What became of images that were too large; each request has them again. */
const shrunk = new WeakMap<ImagePart, ImagePart | undefined>();

/** A smaller copy of a screenshot is worth more than a note. */
function shrink(part: ImagePart): ImagePart | undefined {
  if (shrunk.has(part)) return shrunk.get(part);
  const bytes = shrinkPng(Buffer.from(part.data, 'base64'), (MAX_MEDIA_CHARACTERS * 3) / 4);
  const smaller = bytes && { ...part, mimeType: 'image/png', data: Buffer.from(bytes).toString('base64') };
  shrunk.set(part, smaller);
  return smaller;
}

function resourceText({ uri, text, mimeType }: ResourcePart): string {
  const type = mimeType === undefined ? '' : ` type="${mimeType}"`;
  return `<resource uri="${uri}"${type}>\n${text}\n</resource>`;
}

function leftOut(what: string, mimeType: string): WireContent {
  return { type: 'text', text: `[An ${what} (${mimeType}) was left out: this model does not accept it.]` };
}

function tooLarge(what: string, { mimeType, data }: ImagePart | AudioPart): WireContent {
  const megabytes = (data.length / 1024 / 1024).toFixed(1);
  const text = `[An ${what} (${mimeType}) was left out: it takes ${megabytes} MB as base64, and 5 MB is the most that can be sent. A smaller copy of it can be.]`;
  return { type: 'text', text };
}

/** The text of wire content; media are left out. */
export function wireText(content: readonly WireContent[]): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}
