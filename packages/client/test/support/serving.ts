import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transcript } from '@parley/session';
import { type AgentScript, END_TURN, type Step } from '@parley/testing/scripted-agent';
import { afterAll, beforeAll } from 'vitest';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import { type ScriptedAgents, useScriptedAgents } from './scripted.ts';

export interface Answers {
  /** What the client answered to each step that asked. */
  readonly answers: { result?: unknown; error?: { code: number; message: string; data?: unknown } }[];
  readonly transcript: Transcript;
  /** The capabilities that the client advertised. */
  readonly offered: unknown;
}

export interface Serving {
  readonly agents: ScriptedAgents;
  /** Where the session works; there is `a.txt` with three lines. */
  readonly cwd: string;
  /** Has an agent ask for something in a session. */
  answersTo(steps: readonly Step[], options: ConnectOptions): Promise<Answers>;
}

/** A request of the agent whose answer comes back as text. */
export const ask = (method: string, params: object, save?: string): Step => ({
  do: 'request',
  method,
  params: { sessionId: '$sessionId', ...params },
  echo: true,
  ...(save && { save }),
});

/** An agent that asks its client for something, and a folder to ask about. */
export function useServing(): Serving {
  const agents = useScriptedAgents();
  let cwd = '';
  beforeAll(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'parley-serving-')));
    await writeFile(join(cwd, 'a.txt'), 'one\ntwo\nthree\n');
  });
  afterAll(() => rm(cwd, { recursive: true, force: true }));

  return {
    agents,
    get cwd() {
      return cwd;
    },
    async answersTo(steps, options) {
      let offered: unknown;
      const script: AgentScript = { on: { 'session/prompt': [...steps, END_TURN] } };
      await using connection = await agents.connect(script, {
        ...options,
        trace: {
          write: ({ message }) => {
            const { method, params } = message as { method?: string; params?: { clientCapabilities?: unknown } };
            if (method === 'initialize') offered = params?.clientCapabilities;
          },
        },
      });
      const session = await connection.newSession({ cwd });
      const { text } = await session.prompt('go').result;
      return {
        answers: text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
        transcript: session.transcript,
        offered,
      };
    },
  };
}
