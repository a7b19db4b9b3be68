import { fileURLToPath } from 'node:url';
import { TurnError } from '@parley/agent';
import type { Content } from '@parley/session';

export interface PromptImage {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** A prompt as a command line can take it. */
export interface PromptParts {
  readonly text: string;
  readonly images: readonly PromptImage[];
}

/** Links and files that the prompt contains become text; what has no text is refused in words. */
export function readPrompt(content: readonly Content[]): PromptParts {
  const images: PromptImage[] = [];
  const texts = content.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return [block.text];
      case 'resource_link':
        return [`[${block.title ?? block.name}](${placeOf(block.uri)})`];
      case 'resource': {
        const { resource } = block;
        if ('text' in resource) return [`<file path="${placeOf(resource.uri)}">\n${resource.text}\n</file>`];
        throw new TurnError(
          `The command takes text only; ${placeOf(resource.uri)} is not text. Name the file instead.`,
          {
            rpcCode: INVALID_PARAMS,
          },
        );
      }
      case 'image':
        images.push({ data: block.data, mimeType: block.mimeType });
        return [];
      default:
        throw new TurnError(`The command takes no content of type "${block.type}".`, { rpcCode: INVALID_PARAMS });
    }
  });
  return { text: texts.join('\n'), images };
}

const INVALID_PARAMS = -32602;

function placeOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
