import type { Annotations, ContentBlock, ResourceLink } from '../v1/types.gen.ts';

type Block<Type extends ContentBlock['type']> = Extract<ContentBlock, { type: Type }>;

export interface BlockOptions {
  readonly annotations?: Annotations;
}

export function textBlock(text: string, options: BlockOptions = {}): Block<'text'> {
  return { type: 'text', text, ...options };
}

/** An image. `data` is base64. */
export function imageBlock(
  image: { readonly data: string; readonly mimeType: string; readonly uri?: string } & BlockOptions,
): Block<'image'> {
  return { type: 'image', ...image };
}

/** A sound. `data` is base64. */
export function audioBlock(audio: { readonly data: string; readonly mimeType: string } & BlockOptions): Block<'audio'> {
  return { type: 'audio', ...audio };
}

/** A pointer to something the agent can read for itself. The name defaults to the last part of the address. */
export function linkBlock(link: Omit<ResourceLink, 'name'> & { readonly name?: string }): Block<'resource_link'> {
  return { type: 'resource_link', ...link, name: link.name ?? nameOfUri(link.uri) };
}

/** A text with its address, contained in the message. */
export function textResourceBlock(
  resource: { readonly uri: string; readonly text: string; readonly mimeType?: string },
  options: BlockOptions = {},
): Block<'resource'> {
  return { type: 'resource', resource: { ...resource }, ...options };
}

/** Bytes with their address, contained in the message as base64. */
export function blobResourceBlock(
  resource: { readonly uri: string; readonly blob: string; readonly mimeType?: string },
  options: BlockOptions = {},
): Block<'resource'> {
  return { type: 'resource', resource: { ...resource }, ...options };
}

/** What a person would call the thing at this address: `file:///proj/src/main.ts` is `main.ts`. */
export function nameOfUri(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last) || uri;
  } catch {
    return last || uri;
  }
}
