import { type Connection, createConnection, type RequestContext } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { onTestFinished } from 'vitest';
import type { AgentConnection } from '../../src/connect/agent-connection.ts';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import type { ClientDiagnostic } from '../../src/diagnostics.ts';
import type { ClientSession } from '../../src/session/session.ts';

export const V2_ANSWER = { protocolVersion: 2, info: { name: 'raw', version: '1' }, capabilities: { session: {} } };

/** The bare far side of a connection: it answers and tells exactly what a test says, in that order. */
export interface RawAgent {
  readonly agent: Connection;
  readonly connection: AgentConnection;
  readonly session: ClientSession;
  /** The prompts as they came; each is answered when the test says so. */
  readonly prompts: RawPrompt[];
  readonly diagnostics: ClientDiagnostic[];
  tell(update: object, meta?: object): void;
  /** Resolves when so many prompts have come. */
  prompted(count: number): Promise<RawPrompt>;
}

export interface RawPrompt {
  readonly params: { readonly sessionId: string; readonly prompt: readonly unknown[]; readonly _meta?: object };
  /** Resolves when the answer is on its way: what is told afterwards comes behind it. */
  answer(result: unknown): Promise<void>;
  fail(error: unknown): Promise<void>;
}

export interface RawOptions extends ConnectOptions {
  readonly opened?: object;
  readonly initialize?: object;
  readonly on?: Readonly<Record<string, (context: RequestContext) => unknown>>;
}

export async function openRaw({ opened, initialize, on = {}, ...options }: RawOptions = {}): Promise<RawAgent> {
  const [near, far] = createMemoryPair();
  const agent = createConnection(far);
  const prompts: RawPrompt[] = [];
  const diagnostics: ClientDiagnostic[] = [];
  agent.onRequest('initialize', () => ({ ...V2_ANSWER, ...initialize }));
  agent.onRequest('session/new', () => ({ sessionId: 's', ...opened }));
  agent.onRequest(
    'session/prompt',
    ({ params }) =>
      new Promise((answer, fail) => {
        const sent = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
        prompts.push({
          params: params as RawPrompt['params'],
          answer: (result) => {
            answer(result);
            return sent();
          },
          fail: (error) => {
            fail(error);
            return sent();
          },
        });
      }),
  );
  agent.onRequest('session/close', () => ({}));
  for (const [method, handler] of Object.entries(on)) agent.onRequest(method, handler);
  const connection = await connect(near, {
    protocol: 2,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  onTestFinished(() => connection.close());
  return {
    agent,
    connection,
    session: await connection.newSession({ cwd: '/' }),
    prompts,
    diagnostics,
    tell: (update, meta) =>
      void agent.notify('session/update', { sessionId: 's', update, ...(meta && { _meta: meta }) }),
    async prompted(count) {
      while (prompts.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
      return prompts[count - 1] as RawPrompt;
    },
  };
}

/** A session whose next prompt is in the agent's hands. */
export async function prompted(
  text = 'go',
): Promise<
  RawAgent & { turn: ReturnType<RawAgent['session']['prompt']>; prompt: Awaited<ReturnType<RawAgent['prompted']>> }
> {
  const raw = await openRaw();
  const turn = raw.session.prompt(text);
  return { ...raw, turn, prompt: await raw.prompted(1) };
}

export const running = { sessionUpdate: 'state_update', state: 'running' };
export const requiresAction = { sessionUpdate: 'state_update', state: 'requires_action' };
export const idle = (stopReason?: string, more: object = {}): object => ({
  sessionUpdate: 'state_update',
  state: 'idle',
  ...(stopReason !== undefined && { stopReason }),
  ...more,
});
export const says = (text: string, messageId = 'a1'): object => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
});
export const whole = (
  sessionUpdate: 'user_message' | 'agent_message' | 'agent_thought',
  messageId: string,
  ...texts: string[]
): object => ({
  sessionUpdate,
  messageId,
  content: texts.map((text) => ({ type: 'text', text })),
});

/** The texts of a transcript with who said them, or what else is there. */
export function conversation({ transcript }: ClientSession): string[] {
  return transcript.entries.toArray().map((entry) => {
    if (entry.type === 'message') return `${entry.speaker}: ${entry.text}`;
    return 'text' in entry ? `${entry.type}: ${entry.text}` : entry.type;
  });
}

/** Resolves when a session has come to what is wanted of it. */
export function until(session: ClientSession, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isSo()) return resolve();
    const stop = session.on('change', () => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}
