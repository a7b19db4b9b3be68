import { allowsContent } from '../capabilities.ts';
import type { ContentBlock, PromptCapabilities } from '../v1/types.gen.ts';
import { imageBlock, linkBlock, textBlock, textResourceBlock } from './blocks.ts';
import { fileUri } from './file-uri.ts';
import { mimeTypeOfPath } from './mime-types.ts';

/** A file to go with a prompt. */
export interface PromptFile {
  /** Absolute. */
  readonly path: string;
  /** Its text, when it is at hand; without it the agent gets a link. */
  readonly text?: string;
  readonly mimeType?: string;
}

/**
 * A prompt about files. Texts are contained when the agent takes embedded context, which spares it the reading and shows
 * it unsaved changes; otherwise they become links, which every agent takes.
 */
export function promptWithFiles(
  text: string,
  files: readonly PromptFile[],
  capabilities?: PromptCapabilities | null,
): ContentBlock[] {
  return [textBlock(text), ...files.map((file) => fileBlock(file, capabilities))];
}

/** A prompt about an image. `data` is base64. */
export function promptWithImage(
  text: string,
  image: { readonly data: string; readonly mimeType: string; readonly uri?: string },
): ContentBlock[] {
  return [textBlock(text), imageBlock(image)];
}

function fileBlock(file: PromptFile, capabilities: PromptCapabilities | null | undefined): ContentBlock {
  const uri = fileUri(file.path);
  const mimeType = file.mimeType ?? mimeTypeOfPath(file.path);
  const type = mimeType === undefined ? {} : { mimeType };
  if (file.text !== undefined) {
    const block = textResourceBlock({ uri, text: file.text, ...type });
    if (allowsContent(capabilities, block)) return block;
  }
  return linkBlock({ uri, ...type });
}
