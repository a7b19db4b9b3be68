import { randomUUID } from 'node:crypto';
import type { Description } from '../description/description.ts';
import type { PromptImage } from './prompt-parts.ts';
import { fillJson } from './templates.ts';

/** The line that most command lines with JSON on stdin take. */
const DEFAULT_MESSAGE = { type: 'user', message: { role: 'user', content: '{{content}}' } };

export interface PromptMessage {
  readonly text: string;
  readonly images: readonly PromptImage[];
  readonly sessionId: string | undefined;
  readonly cwd: string;
}

/** What is written to stdin for a prompt, with its line end. */
export function formatPrompt({ prompt, images: how }: Description, message: PromptMessage): string {
  const { text, images, sessionId, cwd } = message;
  if (prompt.stdinFormat !== 'json') return `${text}\n`;
  const blocks =
    how?.block === undefined ? [] : images.map(({ data, mimeType }) => fillJson(how.block, { data, mimeType }));
  const values = {
    prompt: text,
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...blocks],
    sessionId: sessionId ?? null,
    id: randomUUID(),
    cwd,
  };
  return `${JSON.stringify(fillJson(prompt.message ?? DEFAULT_MESSAGE, values))}\n`;
}
