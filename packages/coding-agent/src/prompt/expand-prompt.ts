import { type ContentBlock, textOfContent } from '@parley/protocol';
import type { PromptCommand } from './prompt-command.ts';

/**
 * What the model is asked when a person writes this: the same, or what a slash command puts in its place, or nothing
 * when the command answers by itself. The answer follows from the text alone, so that a log can be read back.
 */
export function expandPrompt(
  content: readonly ContentBlock[],
  commands: ReadonlyMap<string, PromptCommand>,
): readonly ContentBlock[] | undefined {
  const [, name = '', input = ''] = /^\s*\/(\S+)(?:\s+([\s\S]*))?$/.exec(textOfContent(content)) ?? [];
  const command = commands.get(name);
  if (!command) return content;
  const text = command.asks?.(input.trim());
  if (text === undefined) return undefined;
  return [{ type: 'text', text }, ...content.filter((block) => block.type !== 'text')];
}
