import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { serveEcho, TOKEN } from '../support/network-agent.ts';
import { type Running, useParley } from '../support/parley.ts';

const parley = useParley();
const env = { PARLEY_TOKEN: TOKEN };

describe('parley connect', () => {
  it('makes an agent on the network one on stdio, in both versions of ACP', async () => {
    await using server = await serveEcho();
    for (const flags of [[], ['--protocol', '2']]) {
      const command = `${process.execPath} ${parley.program} connect ws://${server.host}/acp`;
      const { code, stdout } = await parley.run(['exec', ...flags, '--agent', command, 'Hi'], { env });
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'You said: Hi\n[done] end_turn\n' });
    }
  }, 120_000);

  it("is an agent for the official SDK's client as well", async () => {
    await using server = await serveEcho();
    const { process: child, finished } = connect(`ws://${server.host}/acp`);
    const texts: string[] = [];
    const toBytes = new TransformStream<string, Uint8Array>({
      transform: (text, controller) => controller.enqueue(Buffer.from(text)),
    });
    const output = (Readable.toWeb(child.stdout) as ReadableStream<string>).pipeThrough(toBytes);
    const connection = client({ name: 'sdk' })
      .onNotification(methods.client.session.update, ({ params: { update } }) => {
        if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
          texts.push(update.content.text);
      })
      .connect(ndJsonStream(Writable.toWeb(child.stdin), output));
    await connection.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await connection.agent.request('session/new', { cwd: '/', mcpServers: [] });
    const prompt = [{ type: 'text' as const, text: 'äöü 💥' }];
    expect(await connection.agent.request('session/prompt', { sessionId, prompt })).toMatchObject({
      stopReason: 'end_turn',
    });
    expect(texts.join('')).toBe('You said: äöü 💥');
    connection.close();
    child.stdin.end();
    expect(await finished).toMatchObject({ code: 0, stderr: '' });
  }, 120_000);

  it('passes every message as it was written, batches and numbers beyond JavaScript too, and exits 0 when stdin ends', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const opened = once(server, 'connection');
    const running = connect(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const [agent] = (await opened) as [WebSocket];
    const texts = [
      '{"jsonrpc":"2.0","method":"x","id":12345678901234567890,"params":{"unknown":1.0,"b":"\\u00e9"},"more":[]}',
      '[{"jsonrpc":"2.0","id":1,"method":"y"},{"jsonrpc":"2.0","method":"z"}]',
    ];
    const heard: string[] = [];
    agent.on('message', (data) => heard.push(String(data)));
    const lines = createInterface({ input: running.process.stdout })[Symbol.asyncIterator]();
    for (const text of texts) running.process.stdin.write(`${text}\n`);
    await expect.poll(() => heard, { timeout: 20_000 }).toEqual(texts);
    const large = `{"jsonrpc":"2.0","id":12345678901234567890,"result":{"n":1.50,"text":"${'x'.repeat(20 * 1024 * 1024)}"}}`;
    agent.send('{"jsonrpc": "2.0",\n "id": 1,\n "result": 1e2}');
    agent.send(large);
    expect((await lines.next()).value).toBe('{"jsonrpc": "2.0",  "id": 1,  "result": 1e2}');
    expect((await lines.next()).value === large).toBe(true);
    running.process.stdin.write(`${large}\n`);
    await expect.poll(() => heard.at(-1) === large, { timeout: 20_000 }).toBe(true);
    running.process.stdin.write('not JSON\n');
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ id: null, error: { code: -32700 } });
    running.process.stdin.end();
    expect(await running.finished).toMatchObject({ code: 0, stderr: '' });
    server.close();
  }, 120_000);

  it('ends with code 1 and says why when the agent is lost, refuses us, or is not there', async () => {
    const server = await serveEcho();
    const running = connect(`ws://${server.host}/acp`);
    running.process.stdin.write(`${initialize}\n`);
    await running.sees('protocolVersion');
    await server[Symbol.asyncDispose]();
    expect(await running.finished).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`ws://${server.host}/acp`),
    });
    await using other = await serveEcho();
    const refused = connect(`http://${other.host}/acp`, { PARLEY_TOKEN: 'a-wrong-token' });
    refused.process.stdin.write(`${initialize}\n`);
    const end = await refused.finished;
    expect(end).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Check the token') });
    expect(end.stderr).not.toContain('a-wrong-token');
    expect(await connect('wss://no-such-host.invalid/acp').finished).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('host name has no address'),
    });
    expect(await parley.run(['connect', 'parley'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('stdio already'),
    });
  }, 120_000);

  it('ends at once on Ctrl-C, and gives a client that only asks and closes its answers', async () => {
    await using server = await serveEcho();
    const asked = await parley.run(['connect', server.host], { env, input: `${initialize}\n` });
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(asked.stdout)).toMatchObject({ id: 0, result: { protocolVersion: 1 } });
    const running = connect(`ws://${server.host}/acp`);
    running.process.stdin.write(`${initialize}\n`);
    await running.sees('protocolVersion');
    running.process.kill('SIGINT');
    expect(await running.finished).toMatchObject({ code: 130, stderr: '' });
  }, 120_000);
});

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}';

function connect(address: string, more: Record<string, string> = {}): Running {
  return parley.start(['connect', address], { input: undefined, env: { ...env, ...more } });
}
