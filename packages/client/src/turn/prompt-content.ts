import {
  allowsContent,
  type ContentBlock,
  checkRules,
  type PromptCapabilities,
  parse,
  ValidationError,
  validators,
} from '@parley/protocol';
import { CapabilityError, UsageError } from '../errors.ts';

/** What a person may give as a prompt. A string is one block of text. */
export type PromptContent = string | ContentBlock | readonly (string | ContentBlock)[];

/** What the agent takes, and what this client wants to send of that. */
export interface PromptRules {
  readonly customContent?: readonly string[] | undefined;
  readonly promptCapabilities: PromptCapabilities | undefined;
  readonly imageMimeTypes?: readonly string[] | undefined;
  readonly audioMimeTypes?: readonly string[] | undefined;
}

/** The prompt as content blocks, each allowed by what the agent advertised; throws with the reason otherwise. */
export function requirePrompt(
  content: PromptContent,
  { promptCapabilities, customContent = [], ...rules }: PromptRules,
): ContentBlock[] {
  const prompt = (isList(content) ? content : [content]).map((block, index) => toBlock(block, index, customContent));
  if (prompt.length === 0) throw new UsageError('invalid_prompt', 'A prompt needs at least one block of content.');
  for (const [index, block] of prompt.entries()) {
    if (allowsContent(promptCapabilities, block)) continue;
    const gate = `agentCapabilities.promptCapabilities.${GATES[block.type]}`;
    throw new CapabilityError(`Block ${index + 1} of the prompt (${block.type})`, gate);
  }
  const problem = checkRules(
    'session/prompt',
    { sessionId: '', prompt },
    { ...rules, promptCapabilities: promptCapabilities ?? {} },
  );
  if (problem)
    throw new UsageError('invalid_prompt', `The prompt cannot be sent: ${new ValidationError(problem).message}.`);
  return prompt;
}

const GATES: { readonly [Type in ContentBlock['type']]?: string } = {
  image: 'image',
  audio: 'audio',
  resource: 'embeddedContext',
};

function isList(content: PromptContent): content is readonly (string | ContentBlock)[] {
  return Array.isArray(content);
}

function toBlock(block: string | ContentBlock, index: number, customContent: readonly string[]): ContentBlock {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (customContent.includes(block.type) && block.type.startsWith('_')) return block;
  try {
    return parse(validators.ContentBlock, block);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError('invalid_prompt', `Block ${index + 1} of the prompt is not content: ${why}.`, {
      cause: error,
    });
  }
}
