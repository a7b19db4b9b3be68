import { type ContentBlock, checkRules, isCustomContent, parse, ValidationError, validators } from '@parley/protocol';
import type { AgentOffer } from '@parley/session';
import { CapabilityError, UsageError } from '../errors.ts';
import type { AgentFacts } from '../peer/agent-peer.ts';

/** What a person may give as a prompt. A string is one block of text. */
export type PromptContent = string | ContentBlock | readonly (string | ContentBlock)[];

/** What the agent takes, and what this client wants to send of that. */
export interface PromptRules {
  readonly facts: Pick<AgentFacts, 'offers' | 'capabilityOf'>;
  readonly customContent?: readonly string[] | 'any' | undefined;
  readonly imageMimeTypes?: readonly string[] | undefined;
  readonly audioMimeTypes?: readonly string[] | undefined;
}

/** The prompt as content blocks, each allowed by what the agent advertised; throws with the reason otherwise. */
export function requirePrompt(
  content: PromptContent,
  { facts, customContent = [], ...rules }: PromptRules,
): ContentBlock[] {
  const prompt = (isList(content) ? content : [content]).map((block, index) => toBlock(block, index, customContent));
  if (prompt.length === 0) throw new UsageError('invalid_prompt', 'A prompt needs at least one block of content.');
  for (const [index, block] of prompt.entries()) {
    const offer = NEEDED_OFFERS[block.type];
    if (!offer || facts.offers[offer]) continue;
    throw new CapabilityError(`Block ${index + 1} of the prompt (${block.type})`, facts.capabilityOf(offer));
  }
  const { image, audio, embeddedContext } = facts.offers;
  const problem = checkRules(
    'session/prompt',
    { sessionId: '', prompt },
    { ...rules, promptCapabilities: { image, audio, embeddedContext } },
  );
  if (problem)
    throw new UsageError('invalid_prompt', `The prompt cannot be sent: ${new ValidationError(problem).message}.`);
  return prompt;
}

/** Text and links may be in every prompt. */
const NEEDED_OFFERS: { readonly [Type in ContentBlock['type']]?: AgentOffer } = {
  image: 'image',
  audio: 'audio',
  resource: 'embeddedContext',
};

function isList(content: PromptContent): content is readonly (string | ContentBlock)[] {
  return Array.isArray(content);
}

function toBlock(block: string | ContentBlock, index: number, customContent: readonly string[] | 'any'): ContentBlock {
  if (typeof block === 'string') return { type: 'text', text: block };
  const isDeclared = customContent !== 'any' && customContent.includes(block.type) && block.type.startsWith('_');
  if (isDeclared || (customContent === 'any' && isCustomContent(block))) return block;
  try {
    return parse(validators.ContentBlock, block);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError('invalid_prompt', `Block ${index + 1} of the prompt is not content: ${why}.`, {
      cause: error,
    });
  }
}
