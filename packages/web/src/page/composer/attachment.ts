import type { AgentOffers } from '@parley/client';
import type { ContentBlock } from '@parley/protocol';
import { wordBytes } from '@parley/session/view';

/** Something that goes along with a prompt. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly block: ContentBlock;
  /** Where a picture of it is, for as long as it is attached. */
  readonly preview?: string;
}

/** As a browser knows a file; `File` is one. */
export interface PickedFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export const MAX_ATTACHMENT_BYTES: number = 10 * 1024 * 1024;

type Kind = 'image' | 'audio' | 'file';

/** Why a file cannot go along; undefined when it can. Told before anything is sent. */
export function refuse(
  file: Pick<PickedFile, 'name' | 'type' | 'size'>,
  offers: Pick<AgentOffers, 'image' | 'audio' | 'embeddedContext'>,
  agent: string,
): string | undefined {
  const name = file.name || 'The file';
  if (file.size > MAX_ATTACHMENT_BYTES)
    return `${name} is too large: ${wordBytes(file.size)}, and ${wordBytes(MAX_ATTACHMENT_BYTES)} is the most.`;
  switch (kindOf(file)) {
    case 'image':
      return offers.image ? undefined : `${agent} takes no images, so ${name} was not attached. Describe it in words.`;
    case 'audio':
      return offers.audio ? undefined : `${agent} takes no audio, so ${name} was not attached.`;
    default:
      return offers.embeddedContext
        ? undefined
        : `${agent} takes no files, so ${name} was not attached. Name a file of the folder with @ instead.`;
  }
}

/** Reads a file into what a prompt holds of it. */
export async function attach(file: PickedFile, id: string): Promise<Attachment> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = kindOf(file);
  const name = file.name || (kind === 'image' ? 'Image' : 'File');
  return { id, name, bytes: bytes.length, block: blockOf(kind, { name, type: file.type, bytes }) };
}

/** What a block of a prompt was before it was sent; its name where it has none is that of its kind. */
export function attachmentOf(block: ContentBlock, id: string): Attachment {
  switch (block.type) {
    case 'image':
      return {
        id,
        name: 'Image',
        bytes: bytesOf(block.data),
        block,
        preview: `data:${block.mimeType};base64,${block.data}`,
      };
    case 'audio':
      return { id, name: 'Audio', bytes: bytesOf(block.data), block };
    case 'resource': {
      const { resource } = block;
      const bytes = 'text' in resource ? new TextEncoder().encode(resource.text).length : bytesOf(resource.blob);
      return { id, name: nameOfUri(resource.uri), bytes, block };
    }
    default:
      return { id, name: 'File', bytes: 0, block };
  }
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}

function nameOfUri(uri: string): string {
  const name = uri.split('/').at(-1) ?? uri;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function kindOf({ type }: Pick<PickedFile, 'type'>): Kind {
  // An image of lines is a text that models read better than look at.
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'image';
  return type.startsWith('audio/') ? 'audio' : 'file';
}

function blockOf(
  kind: Kind,
  { name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: Uint8Array },
): ContentBlock {
  if (kind !== 'file') return { type: kind, data: toBase64(bytes), mimeType: type };
  const uri = `attachment:///${encodeURIComponent(name)}`;
  const mimeType = type === '' ? {} : { mimeType: type };
  const text = readText(bytes);
  if (text !== undefined) return { type: 'resource', resource: { uri, text, ...mimeType } };
  return { type: 'resource', resource: { uri, blob: toBase64(bytes), ...mimeType } };
}

/** The text of a file; undefined where it is none. */
function readText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  return btoa(binary);
}
