import { startFakeModelServer, type WireName } from '@parley/testing/fake-model-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeProject, startInProcess } from './in-process.ts';

const page = { url: 'https://node.example/22', title: 'Node 22' };
const sse = (...events: readonly Readonly<Record<string, unknown>>[]): string =>
  events
    .map((event) => `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`)
    .join('');
const block = (content_block: object) => [
  { type: 'content_block_start', index: 0, content_block },
  { type: 'content_block_stop', index: 0 },
];

/** What each provider answers, and how it is asked to search. */
const WIRES: readonly { wire: WireName; tools: unknown; body: string }[] = [
  {
    wire: 'anthropic',
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
    body: sse(
      { type: 'message_start', ...{ message: { usage: { input_tokens: 10 } } } },
      ...block({ type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }),
      ...block({
        type: 'web_search_tool_result',
        tool_use_id: 's1',
        content: [{ type: 'web_search_result', ...page }],
      }),
      ...block({ type: 'text', text: 'It is 22.' }),
      { type: 'message_delta', ...{ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } } },
      { type: 'message_stop' },
    ),
  },
  {
    wire: 'openai-responses',
    tools: [{ type: 'web_search' }],
    body: sse(
      { type: 'response.output_item.added', ...{ output_index: 0, item: { type: 'web_search_call', id: 'w1' } } },
      { type: 'response.output_text.delta', ...{ output_index: 1, delta: 'It is 22.' } },
      { type: 'response.output_text.annotation.added', ...{ annotation: { type: 'url_citation', ...page } } },
      { type: 'response.completed', ...{ response: { output: [], usage: { input_tokens: 10, output_tokens: 5 } } } },
    ),
  },
  {
    wire: 'gemini',
    tools: [{ googleSearch: {} }],
    body: sse({
      ...{
        candidates: [
          {
            content: { parts: [{ text: 'It is 22.' }] },
            finishReason: 'STOP',
            groundingMetadata: { groundingChunks: [{ web: { uri: page.url, title: page.title } }] },
          },
        ],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 },
      },
    }),
  },
];

async function open(wire: WireName, webSearch: boolean) {
  const server = await startFakeModelServer();
  onTestFinished(() => server.close());
  const baseUrl = wire === 'anthropic' || wire === 'gemini' ? server.url : `${server.url}/v1`;
  const env = { PARLEY_BASE_URL: baseUrl, PARLEY_MODEL: 'fake-model', PARLEY_WIRE: wire };
  const asked: (string | null | undefined)[] = [];
  const connection = await startInProcess({
    agent: { env, webSearch },
    permissions: {
      ask: ({ toolCall }) => {
        asked.push(toolCall.title);
        return 'allow';
      },
    },
  });
  const { path } = await makeProject();
  return { server, asked, session: await connection.newSession({ cwd: path }) };
}

const search = { events: [{ type: 'tool_call', name: 'web_search', input: { query: 'newest Node' } }] } as const;

describe('web search', () => {
  it.each(WIRES)(
    'is done by the provider in a request of its own ($wire), after a question',
    async ({ wire, tools, body }) => {
      const { server, session, asked } = await open(wire, true);
      server.add(search, { status: 200, contentType: 'text/event-stream', body }, 'Node 22.');
      const { text, toolCalls } = await session.prompt('which Node?').result;
      expect(text).toBe('Node 22.');
      expect(asked).toEqual(['Search the web: newest Node']);
      expect(server.requests[1]?.body).toMatchObject({ tools });
      expect(toolCalls).toMatchObject([{ kind: 'fetch', status: 'completed', rawOutput: { sources: [page] } }]);
      const answer = JSON.stringify(server.requests[2]?.body);
      expect(answer).toContain('It is 22.\\n\\nSources:\\n- Node 22: https://node.example/22');
    },
  );

  it('is not there unless the settings allow it, and says so where the provider has none', async () => {
    const off = await open('openai-chat', false);
    off.server.add('Hello.');
    await off.session.prompt('hello').result;
    expect(off.server.requests[0]?.tools).not.toContain('web_search');
    const on = await open('openai-chat', true);
    on.server.add(search, 'Then not.');
    await on.session.prompt('which Node?').result;
    expect(JSON.stringify(on.server.requests[1]?.body)).toContain('has no web search');
  });
});
