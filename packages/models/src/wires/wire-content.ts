import { MAX_MEDIA_CHARACTERS } from '../media/fit-image.ts';
import { fittedMedium } from '../media/fit-media.ts';
import type { AudioPart, ContentPart, DocumentPart, ImagePart, ResourcePart } from '../model/history.ts';
import type { AcceptedContent } from '../model/model.ts';

/** Content once a driver has to write it down: text, or a medium that this model accepts. */
export type WireContent = { readonly type: 'text'; readonly text: string } | ImagePart | AudioPart | DocumentPart;

/** Resources become text; what the model cannot take becomes a note that says so, never silence. `fitMedia` comes before it. */
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
      return fittedMedium(part, accepts) ?? part;
    case 'document':
      return fittedMedium(part, accepts) ?? leftOut('document', part.mimeType);
    case 'audio':
      if (!accepts.audio) return leftOut('audio recording', part.mimeType);
      return part.data.length > MAX_MEDIA_CHARACTERS ? tooLarge(part) : part;
  }
}

function resourceText({ uri, text, mimeType }: ResourcePart): string {
  const type = mimeType === undefined ? '' : ` type="${mimeType}"`;
  return `<resource uri="${uri}"${type}>\n${text}\n</resource>`;
}

function leftOut(what: string, mimeType: string): WireContent {
  const article = what === 'document' ? 'A' : 'An';
  return { type: 'text', text: `[${article} ${what} (${mimeType}) was left out: this model does not accept it.]` };
}

function tooLarge({ mimeType, data }: AudioPart): WireContent {
  const megabytes = (data.length / 1024 / 1024).toFixed(1);
  const text = `[An audio recording (${mimeType}) was left out: it takes ${megabytes} MB as base64, and 5 MB is the most that can be sent.]`;
  return { type: 'text', text };
}

/** The text of wire content; media are left out. */
export function wireText(content: readonly WireContent[]): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}
