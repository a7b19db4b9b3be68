import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';
import type { FakeWire } from './wire.ts';

/** The format that a path belongs to; versions before it do not matter. */
export function wireFor(path: string): FakeWire | undefined {
  if (/\/chat\/completions(\?|$)/.test(path)) return openAiChat;
  if (/\/responses(\?|$)/.test(path)) return openAiResponses;
  if (/\/messages(\/count_tokens)?(\?|$)/.test(path)) return anthropic;
  if (/:(streamGenerateContent|generateContent|countTokens)(\?|$)/.test(path)) return gemini;
  return undefined;
}
