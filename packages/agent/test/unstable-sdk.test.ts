import { client, methods, type Stream } from '@agentclientprotocol/sdk/unstable';
import { toStream } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agent } from '../src/index.ts';

describe('the official SDK as a client that uses what is unstable', () => {
  it('is told the tokens of a turn, and archives, names and asks about sessions, logins and providers', async () => {
    const [near, far] = createMemoryPair();
    const served = agent({
      name: 'a',
      version: '1',
      unstable: true,
      providers: {
        list: () => [{ providerId: 'main', supported: ['openai'], required: true }],
        set: () => {},
        disable: () => {},
      },
    })
      .onPrompt(async (turn) => turn.addTokens({ inputTokens: 3, outputTokens: 4 }))
      .serve(far);
    const connection = client({ name: 'sdk' }).connect(toStream(near) as Stream);
    onTestFinished(async () => {
      connection.close();
      await near.close();
      await served;
    });
    const { agent: peer } = connection;
    const { initialize, session, auth, providers } = methods.agent;
    await peer.request(initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await peer.request(session.new, { cwd: '/', mcpServers: [] });
    const prompt = [{ type: 'text' as const, text: 'go' }];
    expect(await peer.request(session.prompt, { sessionId, prompt })).toMatchObject({ usage: { totalTokens: 7 } });
    expect(await peer.request(session.status, { sessionId })).toMatchObject({ status: 'open' });
    expect(await peer.request(session.setTitle, { sessionId, title: 'Work' })).toMatchObject({ title: 'Work' });
    await peer.request(session.archive, { sessionId });
    expect(await peer.request(session.list, { archived: 'only' })).toMatchObject({ sessions: [{ sessionId }] });
    await peer.request(session.unarchive, { sessionId });
    expect(await peer.request(auth.status, {})).toMatchObject({ state: 'not_required' });
    const [provider] = (await peer.request(providers.list, {})).providers;
    expect(provider).toMatchObject({ providerId: 'main', supported: ['openai'], required: true });
  });
});
