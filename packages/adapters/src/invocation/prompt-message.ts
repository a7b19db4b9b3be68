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
  /** It goes to a process that has heard nothing yet. */
  readonly isFirst: boolean;
}

/** What is written to stdin for a prompt, with its line end. */
export function formatPrompt({ prompt, images: how }: Description, message: PromptMessage): string {
  const { text, images, sessionId, cwd, isFirst } = message;
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
  const first = isFirst && prompt.first !== undefined ? [fillJson(prompt.first, { ...values, id: randomUUID() })] : [];
  const lines = [...first, fillJson(prompt.message ?? DEFAULT_MESSAGE, values)];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
