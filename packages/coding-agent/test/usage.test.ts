import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

describe('the tokens of a turn', () => {
  it('are told with the answer to its prompt: all requests that it made to the model', async () => {
    const project = await makeProject({ 'a.txt': 'alpha' });
    const { env } = await startModel({
      script: [
        {
          events: [
            { type: 'tool_call', name: 'read_file', input: { path: 'a.txt' } },
            { type: 'usage', input: 100, output: 5 },
          ],
        },
        {
          events: [
            { type: 'text', text: 'It says alpha.' },
            { type: 'usage', input: 120, output: 7, cached: 90 },
          ],
        },
      ],
    });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    const { usage } = await session.prompt('What does a.txt say?').result;
    expect(usage).toMatchObject({ inputTokens: 220, outputTokens: 12, totalTokens: 232, cachedReadTokens: 90 });
    expect(session.tokens).toEqual(usage);
  });
});

interface OllamaPlan {
  readonly ps?: object;
  readonly show?: object;
}

/** A server that answers as Ollama does, and what it was asked besides. */
async function startOllama({ ps = {}, show = {} }: OllamaPlan) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/api/')) asked.push(url);
    if (url === '/v1/chat/completions') {
      const answer = { choices: [{ index: 0, delta: { content: 'Hello.' }, finish_reason: 'stop' }] };
      const usage = { choices: [], usage: { prompt_tokens: 1000, completion_tokens: 24, total_tokens: 1024 } };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(answer)}\n\ndata: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`);
      return;
    }
    const answers: Readonly<Record<string, object>> = {
      '/api/tags': { models: [{ name: 'qwen3:latest' }] },
      '/api/ps': ps,
      '/api/show': show,
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[url] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const project = await makeProject();
  const connection = await startInProcess({
    agent: {
      env: { OLLAMA_HOST: `127.0.0.1:${(server.address() as AddressInfo).port}`, PARLEY_MODEL: 'ollama/qwen3:latest' },
      discover: {
        localServers: [{ provider: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:9/v1' }],
        probeTimeoutMs: 20_000,
      },
    },
  });
  const session = await connection.newSession({ cwd: project.path });
  await session.prompt('hello').result;
  return { session, asked };
}

describe('the window of a model on Ollama', () => {
  it('is what the server has it loaded with, asked once', async () => {
    const loaded = { models: [{ name: 'qwen3:latest', model: 'qwen3:latest', context_length: 4096 }] };
    const { session, asked } = await startOllama({ ps: loaded, show: { parameters: 'num_ctx 32768' } });
    expect(session.transcript.usage).toEqual({ used: 1024, size: 4096 });
    await session.prompt('again').result;
    expect(asked).toEqual(['/api/tags', '/api/ps']);
  });

  it("is what the model's own file asks for, where the server does not say", async () => {
    const { session } = await startOllama({ ps: { models: [] }, show: { parameters: 'stop "x"\nnum_ctx    32768\n' } });
    expect(session.transcript.usage).toEqual({ used: 1024, size: 32768 });
  });

  it('is not made up: nothing is said of how full it is', async () => {
    const { session } = await startOllama({ show: { model_info: { 'qwen3.context_length': 40960 } } });
    expect(session.transcript.usage).toBeUndefined();
  });
});

describe('how full the window is', () => {
  it('is told anew when the conversation was shortened, with what that cost', async () => {
    const project = await makeProject();
    const { server } = await startModel({
      script: [
        {
          events: [
            { type: 'huge', chars: 60_000 },
            { type: 'usage', input: 90_000, output: 15_000 },
          ],
        },
        {
          events: [
            { type: 'text', text: 'Much was said.' },
            { type: 'usage', input: 105_000, output: 100 },
          ],
        },
      ],
    });
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url, PARLEY_MODEL: 'anthropic/claude-haiku-4-5' };
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('tell me everything').result;
    const before = session.transcript.usage;
    expect(before).toMatchObject({ used: 105_000, size: 200_000 });
    await session.prompt('/compact').result;
    const after = session.transcript.usage;
    expect(after?.size).toBe(200_000);
    expect(after?.used).toBeLessThan(25_000);
    expect(after?.cost?.amount).toBeGreaterThan(before?.cost?.amount ?? 0);
    const { text } = await session.prompt('/cost').result;
    expect(text).toMatch(/^195000 tokens read .*, 15100 written: \$0\.\d+\.$/);
    expect(text).toContain(`$${after?.cost?.amount.toFixed(4)}`);
  });
});
