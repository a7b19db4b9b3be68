import { listen } from '@parley/transports/listen';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it } from 'vitest';
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
