import { allowsContent } from '../capabilities.ts';
import { isCustomContent } from '../content/custom-content.ts';
import type { ContentBlock, PromptCapabilities } from '../v1/types.gen.ts';
import type { Problem } from '../validation/problem.ts';
import { broken, type Path } from './broken.ts';

/** Images that most models read, for those who want to take no others. */
export const IMAGE_MIME_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
];

/** Sounds that most models hear. `audio/mpeg` is the registered name of what many call `audio/mp3`. */
export const AUDIO_MIME_TYPES: readonly string[] = [
  'audio/wav',
  'audio/mp3',
  'audio/mpeg',
  'audio/ogg',
  'audio/flac',
  'audio/aac',
];

/** Fields that a block of each type must have, and not empty. */
export const REQUIRED_FIELDS: Readonly<Partial<Record<ContentBlock['type'], readonly string[]>>> = {
  text: [],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['name', 'uri'],
  resource: [],
};

export interface ContentRules {
  /** What the agent takes in a prompt. Omitted: only text and links. */
  readonly promptCapabilities?: PromptCapabilities | null;
  /** The images to take, such as `IMAGE_MIME_TYPES`. Default: any, since the protocol names none. */
  readonly imageMimeTypes?: readonly string[] | undefined;
  /** The sounds to take, such as `AUDIO_MIME_TYPES`. Default: any. */
  readonly audioMimeTypes?: readonly string[] | undefined;
}

/** Checks a prompt against what the agent takes. One without content asks for nothing. */
export function checkPrompt(prompt: readonly ContentBlock[], path: Path, rules: ContentRules): Problem | undefined {
  if (prompt.length === 0) return broken(path, 'at least one content block', 'an empty list');
  for (const [index, block] of prompt.entries()) {
    const problem = checkBlock(block, [...path, index], rules);
    if (problem) return problem;
  }
  return undefined;
}

function checkBlock(block: ContentBlock, path: Path, rules: ContentRules): Problem | undefined {
  if (!allowsContent(rules.promptCapabilities, block)) {
    return broken([...path, 'type'], 'content that the agent advertised in promptCapabilities', `"${block.type}"`);
  }
  if (isCustomContent(block) && !block.type.startsWith('_')) {
    const expected = 'a content type of the specification, or one that begins with "_"';
    return broken([...path, 'type'], expected, `"${String(block.type).slice(0, MAX_QUOTED_CHARACTERS)}"`);
  }
  return checkFields(block, path) ?? checkMimeType(block, path, rules);
}

/** The schema has seen to it that required fields are there; here they must also say something. */
function checkFields(block: ContentBlock, path: Path): Problem | undefined {
  if (block.type === 'resource') {
    return block.resource.uri ? undefined : broken([...path, 'resource', 'uri'], 'a URI', 'an empty string');
  }
  const fields = block as unknown as Readonly<Record<string, unknown>>;
  const empty = REQUIRED_FIELDS[block.type]?.find((name) => !fields[name]);
  return empty === undefined ? undefined : broken([...path, empty], 'a non-empty string', 'an empty string');
}

function checkMimeType(block: ContentBlock, path: Path, rules: ContentRules): Problem | undefined {
  if (block.type !== 'image' && block.type !== 'audio') return undefined;
  const allowed = block.type === 'image' ? rules.imageMimeTypes : rules.audioMimeTypes;
  if (!allowed) return undefined;
  // Parameters such as `; codecs=opus` and the case of letters do not change the type.
  const type = block.mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (allowed.includes(type)) return undefined;
  return broken([...path, 'mimeType'], `one of ${allowed.join(', ')}`, `"${type.slice(0, MAX_QUOTED_CHARACTERS)}"`);
}

const MAX_QUOTED_CHARACTERS = 40;
