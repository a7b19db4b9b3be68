import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { createConnection } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import { spawnProcess } from '@parley/transports/process';
import { describe, expect, it } from 'vitest';

const program = (name: string): string[] => [
  '--conditions=source',
  '--import',
  'tsx',
  fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url)),
];

describe('over real pipes', () => {
  it("the official SDK's client drives an agent on a Parley connection", async () => {
    const child = spawn(process.execPath, program('connection-agent'), { stdio: ['pipe', 'pipe', 'ignore'] });
    const texts: string[] = [];
    const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as never);
    const connection = client({ name: 'sdk' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => ({
        outcome: { outcome: 'selected', optionId: params.options[0]?.optionId ?? '' },
      }))
      .onNotification(methods.client.session.update, ({ params }) => {
        const { update } = params;
        if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
          texts.push(update.content.text);
      })
      .connect(stream);
    const hello = await connection.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    expect(hello.protocolVersion).toBe(1);
    const { sessionId } = await connection.agent.request('session/new', { cwd: '/', mcpServers: [] });
    const prompt = Array.from({ length: 50 }, (_, n) => ({ type: 'text' as const, text: `line ${n} äöü 💥` }));
    expect(await connection.agent.request('session/prompt', { sessionId, prompt })).toMatchObject({
      stopReason: 'end_turn',
    });
    expect(texts).toEqual(prompt.map(({ text }) => text));
    connection.close();
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('a Parley connection drives an agent on the official SDK', async () => {
    const [command = process.execPath, ...args] = [process.execPath, ...program('sdk-agent')];
    await using connection = createConnection(await spawnProcess({ command, args }));
    const texts: string[] = [];
    connection.onRequest('session/request_permission', ({ params }) => {
      const { options } = v1.parseParams('session/request_permission', params);
      return { outcome: { outcome: 'selected', optionId: options[0]?.optionId } };
    });
    connection.onNotification('session/update', (params) => {
      const { update } = v1.parseParams('session/update', params);
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        texts.push(update.content.text);
    });
    const hello = v1.parseResult('initialize', await connection.request('initialize', { protocolVersion: 1 }));
    expect(hello.agentInfo).toMatchObject({ name: 'sdk' });
    const answer = await connection.request('session/new', { cwd: '/', mcpServers: [] });
    const { sessionId } = v1.parseResult('session/new', answer);
    const prompt = Array.from({ length: 50 }, (_, n) => ({ type: 'text', text: `line ${n}` }));
    const result = await connection.request('session/prompt', { sessionId, prompt });
    expect(result).toEqual({ stopReason: 'end_turn' });
    expect(texts).toEqual(prompt.map(({ text }) => text));
  });

  it('an agent answers everything it was asked before its input ended, and exits', async () => {
    const child = spawn(process.execPath, program('connection-agent'), { stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    let log = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    const lines = [
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      'not json',
      '',
      '[{"jsonrpc":"2.0","id":2,"method":"ping"}]',
      '{"jsonrpc":"2.0","id":3,"method":"nope"}\r',
      '{"jsonrpc":"2.0","method":"nope"}',
      '{"jsonrpc":"2.0","id":"4","method":"session/prompt","params":{"sessionId":1}}',
      '{"jsonrpc":"2.0","id":5,"method":"ping"}',
    ];
    child.stdin.end(lines.join('\n'));
    expect(await once(child, 'close')).toEqual([0, null]);
    const answers = output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    // Handlers that return promises may answer after the next line's, so only what was said counts here.
    const answerTo = (id: unknown): unknown => answers.find((answer) => answer.id === id);
    const codesWithoutId = answers.filter(({ id }) => id === null).map(({ error }) => error.code);
    expect(answers.length).toBe(6);
    expect(codesWithoutId).toEqual([-32700, -32600]);
    expect(answerTo(1)).toMatchObject({ result: 'pong' });
    expect(answerTo(3)).toMatchObject({ error: { code: -32601 } });
    expect(answerTo('4')).toMatchObject({ error: { code: -32603 } });
    expect(answerTo(5)).toMatchObject({ result: 'pong' });
    expect(log).toContain('this must not reach the wire');
  });
});
