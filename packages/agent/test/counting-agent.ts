import type { SessionStore } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import type { Agent, AgentDiagnostic, AgentOptions, Session } from '../src/index.ts';
import { CWD, testAgent } from './raw-client.ts';
import { connectSlowClient, names, type SlowClient } from './slow-client.ts';

/** Where sessions live, each in words for a title. */
export const STORES: [string, () => SessionStore | undefined][] = [
  ['the log in memory', () => undefined],
  ['a store', () => memoryStore({ isShared: true })],
];

export interface CountingAgent {
  readonly built: Agent;
  readonly diagnostics: AgentDiagnostic[];
  readonly progress: { told: number; readonly sessions: Session[] };
}

/** An agent that tells as many plans as the prompt says, and waits whenever it is asked to. */
export function countingAgent(store: SessionStore | undefined, limits: AgentOptions['limits'] = {}): CountingAgent {
  const { built, diagnostics } = testAgent({ ...(store && { store }), limits });
  const progress = { told: 0, sessions: [] as Session[] };
  built.onSession(({ session }) => void progress.sessions.push(session));
  built.onPrompt(async (turn) => {
    progress.told = 0;
    for (const name of names(Number(turn.text))) {
      if (turn.signal.aborted) return;
      await turn.plan([{ content: name, priority: 'low', status: 'pending' }]);
      progress.told += 1;
    }
  });
  return { built, diagnostics, progress };
}

export interface OpenedTwice extends AsyncDisposable {
  readonly first: SlowClient;
  readonly second: SlowClient;
  readonly sessionId: string;
}

/** A session that two clients have open. */
export async function openTwice(served: Agent): Promise<OpenedTwice> {
  const first = await connectSlowClient(served);
  const { sessionId } = await first.newSession();
  const second = await connectSlowClient(served);
  await second.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  return {
    first,
    second,
    sessionId,
    async [Symbol.asyncDispose]() {
      await second[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
    },
  };
}
