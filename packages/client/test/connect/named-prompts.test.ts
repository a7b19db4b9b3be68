import { agent } from '@parley/agent';
import { type Message, type Transport, TransportClosedError } from '@parley/jsonrpc';
import { memoryStore } from '@parley/store/memory';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import type { AgentSource } from '../../src/source/agent-source.ts';
import { CWD } from '../support/scripted.ts';

const REDIAL = { firstPauseMs: 1, maxPauseMs: 1, giveUpAfterMs: 10_000, isFinal: () => false };

/** An agent that writes down what it was asked, at the end of wires that break when a prompt is sent. */
function serve({
  breaks,
  isShared = false,
}: {
  readonly breaks: ('refused' | 'before' | 'behind')[];
  readonly isShared?: boolean;
}) {
  const asked: string[] = [];
  const served = agent({ name: 'server', version: '1', store: memoryStore({ isShared }) }).onPrompt(async (turn) => {
    asked.push(turn.text);
    await turn.say('said');
    return { stopReason: 'end_turn', meta: { from: 'the agent' } };
  });
  const open = async (): Promise<{ transport: Transport }> => {
    const [near, far] = createMemoryPair();
    void served.serve(far, { whenClientLeaves: 'keep' });
    const send = (message: Message): void | Promise<void> => {
      const isPrompt = 'method' in message && message.method === 'session/prompt';
      const place = isPrompt ? breaks.shift() : undefined;
      if (place === undefined || place === 'behind') void near.send(message);
      if (place === undefined) return;
      // Nothing more comes back, and soon somebody notices.
      near.onMessage(() => {});
      setTimeout(() => void far.close(), 20);
      if (place === 'refused') throw new TransportClosedError();
    };
    const transport = new Proxy(near, {
      get: (target, name) => {
        if (name === 'send') return send;
        const value = Reflect.get(target, name) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return { transport };
  };
  const source: AgentSource = { name: 'the server', redial: REDIAL, open };
  return { source, asked };
}

describe.each([1, 2] as const)('a prompt to a server, in version %i', (protocol) => {
  it.each([false, true])(
    'that is lost on its way is sent again, and runs once (a store of several agents: %s)',
    async (isShared) => {
      const { source, asked } = serve({ breaks: ['before', 'refused', 'before'], isShared });
      await using connection = await connect(source, { reconnect: true, protocol, random: () => 0 });
      const session = await connection.newSession({ cwd: CWD });
      const { stopReason, text } = await session.prompt('go').result;
      expect({ stopReason, text, asked }).toEqual({ stopReason: 'end_turn', text: 'said', asked: ['go'] });
    },
  );

  it.each([false, true])(
    'whose answer is lost has its end all the same, and runs once (a store of several agents: %s)',
    async (isShared) => {
      const { source, asked } = serve({ breaks: ['behind'], isShared });
      await using connection = await connect(source, { reconnect: true, protocol, random: () => 0 });
      const session = await connection.newSession({ cwd: CWD });
      const { stopReason, text } = await session.prompt('go').result;
      expect({ stopReason, text, asked }).toEqual({ stopReason: 'end_turn', text: 'said', asked: ['go'] });
      expect((await session.prompt('on').result).text).toBe('said');
      expect(asked).toEqual(['go', 'on']);
    },
  );
});
