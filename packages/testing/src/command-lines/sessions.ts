import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sessions of a program, as files: their prompts. */
export interface FakeSessions {
  /** Adds a prompt and returns which turn it is; throws for a session that should be there and is not. */
  addTurn(sessionId: string, prompt: string, options: { readonly mustExist: boolean }): number;
}

export function openSessions(folder: string): FakeSessions {
  mkdirSync(folder, { recursive: true });
  return {
    addTurn(sessionId, prompt, { mustExist }) {
      const file = join(folder, `${encodeURIComponent(sessionId)}.json`);
      const exists = existsSync(file);
      if (mustExist && !exists) throw new Error(`No conversation found with session ID: ${sessionId}`);
      const prompts = exists ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : [];
      prompts.push(prompt);
      writeFileSync(file, JSON.stringify(prompts));
      return prompts.length;
    },
  };
}
