import { listen } from '@parley/transports/listen';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it } from 'vitest';
import { TurnError } from '../src/index.ts';
import { CWD, createRawClient, errorOf, type RawClient, testAgent, until } from './raw-client.ts';

const authorize = ({ token }: { readonly token: string | undefined }) => (token ? { principal: token } : undefined);

describe('an agent that serves a listener', () => {
  it('serves many clients, each with the sessions of its principal, until the listener is closed', async () => {
    const listener = await listen({ authorize });
    const { built } = testAgent();
    built.onPrompt(async (turn) => void turn.say('hello'));
    const served = built.serve(listener);
    const [ann, again, bob] = [
      await dial(listener.url, 'ann'),
      await dial(listener.url, 'ann'),
      await dial(listener.url, 'bob'),
    ];
    for (const each of [ann, again, bob]) await each.initialize();
    const { sessionId } = await ann.newSession();
    expect(await ann.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' });
    const load = { sessionId, cwd: CWD, mcpServers: [] };
    await again.request('session/load', load);
    expect(await errorOf(bob.request('session/load', load))).toMatchObject({ code: -32002 });
    await listener.close();
    expect(await served).toEqual({ kind: 'closed' });
    for (const each of [ann, again, bob]) await each[Symbol.asyncDispose]();
  });

  it('lets a turn go on without its client, unless it is told to cancel', async () => {
    const ended: string[] = [];
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      turn.say('begun');
      await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve(), { once: true }));
      ended.push(turn.text);
    });
    const [keeping, cancelling] = [await listen({ authorize }), await listen({ authorize })];
    const served = [built.serve(keeping), built.serve(cancelling, { whenClientLeaves: 'cancel' })];
    const prompts: Promise<unknown>[] = [];
    for (const [listener, text] of [
      [keeping, 'kept'],
      [cancelling, 'cancelled'],
    ] as const) {
      const client = await dial(listener.url, 'ann');
      await client.initialize();
      const { sessionId } = await client.newSession();
      prompts.push(errorOf(client.prompt(sessionId, text)));
      await until(() => client.said() === 'begun');
      await client[Symbol.asyncDispose]();
    }
    await until(() => ended.length === 1);
    expect(ended).toEqual(['cancelled']);
    await Promise.all(prompts);
    await Promise.all([keeping.close(), cancelling.close()]);
    await Promise.all(served);
  });

  it('ends the turns that nobody can come back to when the last listener is closed', async () => {
    const ended: string[] = [];
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      turn.say('begun');
      await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve(), { once: true }));
      ended.push(turn.text);
    });
    const [first, last] = [await listen({ authorize }), await listen({ authorize })];
    const served = [built.serve(first), built.serve(last)];
    const client = await dial(first.url, 'ann');
    await client.initialize();
    const { sessionId } = await client.newSession();
    const lost = errorOf(client.prompt(sessionId, 'kept'));
    await until(() => client.said() === 'begun');
    await client[Symbol.asyncDispose]();
    await lost;
    await first.close();
    await served[0];
    expect(ended).toEqual([]);
    await last.close();
    await served[1];
    expect(ended).toEqual(['kept']);
  });

  it('is closed with its listeners, its connections and the turns that run', async () => {
    const ended: string[] = [];
    const { built, diagnostics } = testAgent();
    built.onPrompt(async (turn) => {
      turn.say('begun');
      await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve(), { once: true }));
      ended.push(turn.text);
    });
    const listener = await listen({ authorize });
    const served = built.serve(listener);
    const client = await dial(listener.url, 'ann');
    await client.initialize();
    const { sessionId } = await client.newSession();
    const lost = errorOf(client.prompt(sessionId, 'running'));
    await until(() => client.said() === 'begun');
    await built.close();
    expect(ended).toEqual(['running']);
    expect(await served).toEqual({ kind: 'closed' });
    await lost;
    expect(diagnostics).toEqual([]);
    await expect(built.serve(await listen({ authorize }))).rejects.toMatchObject({ code: 'agent_closed' });
  });

  it('says nothing of a client that leaves while it waits for an answer', async () => {
    const { built, diagnostics } = testAgent();
    let isOver = false;
    built.onPrompt(async (turn) => {
      turn.say('begun');
      await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve(), { once: true }));
      isOver = true;
      throw new TurnError('gone');
    });
    const listener = await listen({ authorize });
    const served = built.serve(listener, { whenClientLeaves: 'cancel' });
    const client = await dial(listener.url, 'ann');
    await client.initialize();
    const { sessionId } = await client.newSession();
    const lost = errorOf(client.prompt(sessionId, 'go'));
    await until(() => client.said() === 'begun');
    await client[Symbol.asyncDispose]();
    await lost;
    await until(() => isOver);
    await listener.close();
    await served;
    expect(diagnostics.filter(({ kind }) => kind === 'send_failed')).toEqual([]);
  });

  it('closes the listener when its signal aborts', async () => {
    const listener = await listen({ authorize });
    const controller = new AbortController();
    const { built } = testAgent();
    built.onPrompt(async () => 'end_turn');
    const served = built.serve(listener, { signal: controller.signal });
    const client = await dial(listener.url, 'ann');
    await client.initialize();
    controller.abort();
    expect(await served).toEqual({ kind: 'closed' });
    await expect(dial(listener.url, 'ann')).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

async function dial(url: string, token: string): Promise<RawClient> {
  const agent = webSocketAgent(url.replace('http', 'ws'), { token });
  const { transport } = await agent.open(new AbortController().signal);
  return createRawClient(transport, Promise.resolve());
}
