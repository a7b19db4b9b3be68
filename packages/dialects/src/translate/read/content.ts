import { type Fields, isRecord, mapField, mapItems, without } from '../../fields.ts';
import { keepFacts, restore } from '../kept-facts.ts';
import { readAnnotations } from './annotations.ts';
import { sniffMimeType } from './sniff-mime-type.ts';

/** A content block of any dialect in canonical words. What is not recognised passes as it is, for validation to judge. */
export function readContentBlock(block: unknown): unknown {
  if (!isRecord(block)) return block;
  if (isPlainText(block)) return block;
  return restore(mapField(readByType(block), 'annotations', readAnnotations));
}

/** Each block of a field that holds an array of them. */
export function readContentBlocks(fields: Fields, name: string): Fields {
  return mapItems(fields, name, readContentBlock);
}

/** The hot path: what nearly every streamed chunk looks like in every dialect. */
export function isPlainText(block: unknown): boolean {
  return (
    isRecord(block) &&
    block.type === 'text' &&
    typeof block.text === 'string' &&
    block.annotations === undefined &&
    block._meta === undefined
  );
}

function readByType(block: Fields): Fields {
  switch (block.type) {
    case undefined:
      // S2:294 names `TextContent` without a tag.
      return typeof block.text === 'string' ? { type: 'text', ...block } : block;
    case 'text':
      // Go leaves an empty string out.
      return block.text === undefined ? { ...block, text: '' } : block;
    case 'image':
      return withMimeType(readImageSource(block));
    case 'audio':
      return withMimeType(block);
    case 'resourceLink':
      return withName({ ...block, type: 'resource_link' });
    case 'resource_link':
      return withName(block);
    case 'resource':
      return readResource(block);
    default:
      return block;
  }
}

/** S0:346 wraps the data: `source: { type: 'base64', mediaType, data }`. */
function readImageSource(block: Fields): Fields {
  const { source } = block;
  if (!isRecord(source) || block.data !== undefined) return block;
  const rest = without(block, 'source');
  if (typeof source.data === 'string') return { ...rest, data: source.data, mimeType: source.mediaType };
  if (typeof source.url !== 'string') return block;
  return withName({ ...rest, type: 'resource_link', uri: source.url });
}

function withMimeType(block: Fields): Fields {
  if (block.mimeType !== undefined || typeof block.data !== 'string') return block;
  return { ...block, mimeType: sniffMimeType(block.data) };
}

function withName(link: Fields): Fields {
  if (link.name !== undefined || typeof link.uri !== 'string') return link;
  return { ...link, name: lastSegment(link.uri) };
}

/** S2:148 has the resource's fields on the block itself; S3:246 allows text and blob at once. */
function readResource(block: Fields): Fields {
  if (isRecord(block.resource)) return mapField(block, 'resource', readTextAndBlob);
  if (block.uri === undefined) return block;
  const { uri, text, blob, mimeType, ...rest } = block;
  const resource = Object.fromEntries(
    Object.entries({ uri, text, blob, mimeType }).filter(([, value]) => value !== undefined),
  );
  const isEmpty = text === undefined && blob === undefined;
  return { ...rest, resource: readTextAndBlob(isEmpty ? { ...resource, text: '' } : resource) };
}

function readTextAndBlob(resource: Fields): Fields {
  if (typeof resource.text !== 'string' || resource.blob === undefined) return resource;
  return keepFacts(without(resource, 'blob'), { blob: resource.blob });
}

function lastSegment(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || uri;
}
