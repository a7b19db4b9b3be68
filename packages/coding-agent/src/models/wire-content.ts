import type { AudioPart, ContentPart, ImagePart, ResourcePart } from './history.ts';
import type { AcceptedContent } from './model.ts';

/** Content once a driver has to write it down: text, or a medium that this model accepts. */
export type WireContent = { readonly type: 'text'; readonly text: string } | ImagePart | AudioPart;

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
      return accepts.images ? part : leftOut('image', part.mimeType);
    case 'audio':
      return accepts.audio ? part : leftOut('audio recording', part.mimeType);
  }
}

function resourceText({ uri, text, mimeType }: ResourcePart): string {
  const type = mimeType === undefined ? '' : ` type="${mimeType}"`;
  return `<resource uri="${uri}"${type}>\n${text}\n</resource>`;
}

function leftOut(what: string, mimeType: string): WireContent {
  return { type: 'text', text: `[An ${what} (${mimeType}) was left out: this model does not accept it.]` };
}

/** The text of wire content; media are left out. */
export function wireText(content: readonly WireContent[]): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}
