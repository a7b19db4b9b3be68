import { agent } from '@parley/agent';
import { connect, type TranscriptEvent } from '@parley/client';
import { memoryStore } from '@parley/store/memory';
import { END_TURN } from '@parley/testing/scripted-agent';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateway } from '../src/index.ts';
import { scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();
const TOKEN = 'open-sesame';

async function open() {
  const own = agent({ name: 'own', version: '1' }).onPrompt(async (turn) => void turn.say('own'));
  const script = {
    on: {
      'session/prompt': [
        {
          do: 'repeat',
          times: 100,
          steps: [
            { do: 'say', text: '$index,', messageId: 'm-$index' },
            { do: 'wait', ms: 1 },
          ],
        },
        END_TURN,
      ],
    },
  } as const;
  const server = gateway({
    store: memoryStore({ isShared: true }),
    agents: { counter: scripted(script), own },
    onDiagnostic: () => {},
  });
  const listener = await server.listen({ port: 0, token: TOKEN });
  onTestFinished(async () => {
    await listener.close({ graceMs: 100 });
    await server.close();
  });
  return { server, listener };
}

const address = (url: string): string => url.replace(/^http/, 'ws');

describe('a gateway on a port', () => {
  it('serves the default agent at its path, and each agent below it by name', async () => {
    const { listener } = await open();
    for (const [url, name] of [
      [listener.url, 'scripted'],
      [listener.urlOf('counter'), 'scripted'],
      [listener.urlOf('own'), 'own'],
    ] as const) {
      const connection = await connect(webSocketAgent(address(url), { token: TOKEN }));
      expect(connection.agentInfo?.name).toBe(name);
      await connection.close();
    }
    await expect(connect(webSocketAgent(address(listener.urlOf('none')), { token: TOKEN }))).rejects.toThrow('404');
    await expect(connect(webSocketAgent(address(listener.url), { token: 'wrong' }))).rejects.toThrow('401');
  }, 60_000);

  it('loses nothing of a session to a connection that breaks', async () => {
    const { listener } = await open();
    const dialled = webSocketAgent(address(listener.url), { token: TOKEN });
    let cut: (() => void) | undefined;
    const connection = await connect(
      {
        ...dialled,
        open: async (signal) => {
          const wire = await dialled.open(signal);
          cut = () => void wire.transport.close();
          return wire;
        },
      },
      { reconnect: true },
    );
    onTestFinished(() => connection.close());
    const session = await connection.newSession({ cwd: process.cwd() });
    let text = '';
    let cuts = 0;
    session.on('event', (event: TranscriptEvent) => {
      if (event.type !== 'message_chunk' || event.speaker !== 'agent' || event.content.type !== 'text') return;
      text += event.content.text;
      if (cuts < 2 && text.split(',').length > 20 * (cuts + 1)) {
        cuts += 1;
        cut?.();
      }
    });
    await session.prompt('count').result;
    await until(() => text.endsWith('99,'));
    expect(text).toBe(Array.from({ length: 100 }, (_, index) => `${index},`).join(''));
    expect(cuts).toBe(2);
  }, 60_000);
});
