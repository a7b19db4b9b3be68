import { connect, type TranscriptEvent } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { until, withDeadline } from '../support/waiting.ts';
import { startGateway } from './support/hosted-gateway.ts';
import { TOKEN, WIRES } from './support/wires.ts';

/** A client of another time: it says what it likes, and keeps all that it hears. */
async function dialRaw(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const heard: Record<string, unknown>[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Record<string, unknown>;
    heard.push(message);
    if (message.method === '_vendor/ask') send({ id: message.id, result: { colour: 'green' } });
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const send = (message: object): void => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  let ids = 0;
  return {
    heard,
    send,
    async request(method: string, params: object): Promise<Record<string, unknown>> {
      ids += 1;
      const id = ids;
      send({ id, method, params });
      const answer = (): Record<string, unknown> | undefined =>
        heard.find((message) => message.id === id && !('method' in message));
      await until(`${method} is answered`, answer);
      return answer() ?? {};
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

const NEW = { cwd: '/', mcpServers: [] };

describe('a gateway and peers of another version', () => {
  it.each([1, 7])(
    'answer what they do not know, keep what they do not know, and stay connected (client of version %i)',
    async (version) => {
      await using served = await startGateway();
      using raw = await dialRaw(served.port);
      const offered = { protocolVersion: version, clientCapabilities: { holograms: true }, mood: 'new' };
      const initialized = await raw.request('initialize', offered);
      // Who asks for a version that nobody knows is offered the newest there is; this one goes on with it or not.
      const { protocolVersion } = initialized.result as { readonly protocolVersion: number };
      expect(protocolVersion).toBe(version === 1 ? 1 : 2);
      if (version !== 1) return;
      const unknown = await raw.request('session/teleport', { to: 'mars' });
      expect(unknown).toMatchObject({ error: { code: -32601 } });
      raw.send({ method: 'session/never_heard_of', params: {} });
      raw.send({ method: '$/progress', params: { token: 1 } });
      const opened = await raw.request('session/new', { ...NEW, gravity: 0.4, _meta: { trace: 1 } });
      const { sessionId } = opened.result as { readonly sessionId: string };
      const prompt = [{ type: 'text', text: 'odd', weight: 3 }];
      expect(await raw.request('session/prompt', { sessionId, prompt, urgency: 'low' })).toMatchObject({
        result: { stopReason: 'end_turn', _meta: { prompt: 'odd' } },
      });
      const updates = raw.heard.flatMap(({ method, params }) =>
        method === 'session/update' ? [(params as { update: Record<string, unknown> }).update] : [],
      );
      expect(updates).toContainEqual({ sessionUpdate: 'hologram', beams: [1, { two: 2 }] });
      expect(updates).toContainEqual(expect.objectContaining({ mood: 'calm', _meta: { trace: 7 } }));
      expect(updates).toContainEqual(expect.objectContaining({ toolCallId: 'odd', title: 'Odd' }));
      expect(raw.heard).toContainEqual(
        expect.objectContaining({ method: '_vendor/told', params: { sessionId, what: 'news' } }),
      );
      expect(JSON.stringify(updates)).toContain('{\\"colour\\":\\"green\\"}');
      expect(served.server.state.connections).toBe(1);
    },
  );

  it.each([1, 2] as const)(
    'do not make our client of version %i lose its connection, or dial again',
    async (protocol) => {
      await using served = await startGateway();
      let accepted = 0;
      const dial = WIRES.WebSocket(served.port);
      const open = (signal: AbortSignal) => {
        accepted += 1;
        return dial.open(signal);
      };
      const told: unknown[] = [];
      await using connection = await connect(
        { ...dial, open },
        {
          protocol,
          reconnect: true,
          extensions: {
            requests: { '_vendor/ask': () => ({ colour: 'blue' }) },
            notifications: { '_vendor/told': (params) => void told.push(params) },
          },
        },
      );
      const session = await connection.newSession({ cwd: '/' });
      const kinds: string[] = [];
      session.on('event', (event: TranscriptEvent) =>
        kinds.push(event.type === 'unknown' ? event.variant : event.type),
      );
      for (let turn = 0; turn < 5; turn += 1) {
        const { stopReason, text } = await withDeadline(session.prompt('odd').result, 'an odd turn');
        expect(stopReason).toBe('end_turn');
        expect(text).toMatch(/^known\s+\{"colour":"blue"\}$/);
      }
      expect(kinds.filter((kind) => kind === 'hologram')).toHaveLength(5);
      await until('all was told', () => told.length === 5);
      expect(accepted).toBe(1);
      expect(connection.state).toBe('connected');
    },
  );
});
