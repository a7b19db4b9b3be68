import type { ContentPart } from '@parley/models/model';
import { type ContentBlock, customContentLabel } from '@parley/protocol';

/** A content block of the protocol as the model reads it. A link is named, not followed: the model has tools for that. */
export function partsOfContent(block: ContentBlock): readonly ContentPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return [{ type: 'image', mimeType: block.mimeType, data: block.data }];
    case 'audio':
      return [{ type: 'audio', mimeType: block.mimeType, data: block.data }];
    case 'resource_link':
      return [{ type: 'text', text: `[${block.title ?? block.name}](${block.uri})` }];
    case 'resource':
      return [partOfResource(block.resource)];
    default:
      return [{ type: 'text', text: wordCustomContent(block) }];
  }
}

/** As much of content of an unknown type as a model is told of. */
const MAX_CUSTOM_CHARACTERS = 4000;

/** Content of a type that the specification does not name, as it came: a model may well make sense of it. */
function wordCustomContent(block: { readonly type: string }): string {
  return `${customContentLabel(block)} ${JSON.stringify(block).slice(0, MAX_CUSTOM_CHARACTERS)}`;
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

function partOfResource(resource: Resource): ContentPart {
  const { uri, mimeType } = resource;
  if ('text' in resource) return { type: 'resource', uri, text: resource.text, ...(mimeType != null && { mimeType }) };
  if (mimeType?.startsWith('image/')) return { type: 'image', mimeType, data: resource.blob };
  if (mimeType?.startsWith('audio/')) return { type: 'audio', mimeType, data: resource.blob };
  if (mimeType === 'application/pdf') {
    return { type: 'document', mimeType, data: resource.blob, name: uri.split('/').at(-1) || uri };
  }
  return { type: 'text', text: `[${uri}: binary content that cannot be shown]` };
}
