import type { ContentPart, DocumentPart, History, ImagePart } from '../model/history.ts';
import type { AcceptedContent } from '../model/model.ts';
import { fitImage } from './fit-image.ts';

/** What takes the place of an image or a document: another one, or words. */
export type Fitted = ImagePart | DocumentPart | { readonly type: 'text'; readonly text: string };

/** As much of the text of a document as is sent in its place. */
const MAX_DOCUMENT_CHARACTERS = 100_000;

/** What became of media, for each kind of model; every request of a conversation has them again. */
const fitted = new WeakMap<AcceptedContent, WeakMap<ContentPart, Fitted>>();

/** Makes images and documents of a history ready to be sent. What cannot be sent becomes words that say so. */
export async function fitMedia(history: History, accepts: AcceptedContent): Promise<void> {
  const known = fitted.get(accepts) ?? new WeakMap<ContentPart, Fitted>();
  fitted.set(accepts, known);
  for (const part of mediaIn(history)) {
    if (known.has(part)) continue;
    if (part.type === 'image' && accepts.images) known.set(part, await fittedImage(part, accepts));
    if (part.type === 'document') known.set(part, await fittedDocument(part, accepts));
  }
}

/** What stands for a medium that was made ready. */
export function fittedMedium(part: ContentPart, accepts: AcceptedContent): Fitted | undefined {
  return fitted.get(accepts)?.get(part);
}

function mediaIn(history: History): readonly (ImagePart | DocumentPart)[] {
  return history
    .flatMap((message): readonly ContentPart[] => {
      if (message.role === 'tool') return message.results.flatMap(({ content }) => content);
      return message.role === 'user' ? message.content : [];
    })
    .filter((part) => part.type === 'image' || part.type === 'document');
}

async function fittedImage(part: ImagePart, accepts: AcceptedContent): Promise<Fitted> {
  const made = await fitImage(part, accepts);
  if (typeof made !== 'string') return made;
  return { type: 'text', text: `[An image (${part.mimeType}) was left out: ${made}.]` };
}

async function fittedDocument(part: DocumentPart, accepts: AcceptedContent): Promise<Fitted> {
  const { documentFault, GET_PDFTOTEXT, pdfText } = await import('./pdf.ts');
  const bytes = Buffer.from(part.data, 'base64');
  const fault = accepts.documents ? documentFault(bytes) : 'this model does not read PDF';
  if (fault === undefined) return part;
  const text = await pdfText(bytes);
  if (text === undefined) {
    return { type: 'text', text: `[The document ${part.name} was left out: ${fault}. ${GET_PDFTOTEXT}.]` };
  }
  const isCut = text.length > MAX_DOCUMENT_CHARACTERS;
  const more = isCut ? `\n[... ${text.length - MAX_DOCUMENT_CHARACTERS} more characters]` : '';
  return {
    type: 'text',
    text: `<document name="${part.name}">\n${text.slice(0, MAX_DOCUMENT_CHARACTERS)}${more}\n</document>`,
  };
}
