import { type FakeModelServer, startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import type { Model, ModelEvent, ModelRequest } from '../model/model.ts';
import { createOpenAiChatModel } from './openai-chat/openai-chat.ts';
import { createOpenAiResponsesModel } from './openai-responses/openai-responses.ts';

const tools = Array.from({ length: 140 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Does little.',
  inputSchema: { type: 'object', properties: {} },
}));
const request: ModelRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }], tools };

describe.each([
  ['chat completions', createOpenAiChatModel],
  ['responses', createOpenAiResponsesModel],
] as const)('more tools than a server of %s takes', (_, create) => {
  it('are cut down to what it takes, which the person is told once', async () => {
    await using server = await startFakeModelServer({ fallback: 'fine' });
    const model = create({ model: 'm', name: 'Model M', baseUrl: `${server.url}/v1` });
    const first = await eventsOf(model, request);
    expect(first.filter(({ type }) => type === 'remark')).toEqual([
      {
        type: 'remark',
        title: 'Model M takes 128 tools, and 12 were left out',
        description:
          'tool_128, tool_129, tool_130, tool_131, tool_132, …. With fewer MCP servers, all of them can be used.',
      },
    ]);
    const second = await eventsOf(model, request);
    expect(second.map(({ type }) => type)).not.toContain('remark');
    expect(countSent(server).slice(-2)).toEqual([128, 128]);
  });

  it.each([
    ["'tools' : maximum number of items is 64", 64],
    ['tools: at most 20 functions are supported', 20],
    ["Invalid 'tools': array too long. Expected an array with maximum length 32, but got 140 instead.", 32],
  ])('are cut down where the server says %j', async (message, most) => {
    await using server = await startFakeModelServer({ script: [{ error: 'invalid_request', message }, 'fine'] });
    const model = create({ model: 'm', baseUrl: `${server.url}/v1` });
    await eventsOf(model, { ...request, tools: tools.slice(0, 100) });
    expect(countSent(server).at(-1)).toBe(most);
  });

  it('are not cut down for another refusal of a tool', async () => {
    const message = 'tools.3.function.name: maximum context is no matter, string does not match pattern';
    await using server = await startFakeModelServer({ script: [{ error: 'invalid_request', message }] });
    const model = create({ model: 'm', baseUrl: `${server.url}/v1` });
    await expect(eventsOf(model, { ...request, tools: tools.slice(0, 3) })).rejects.toThrow('does not match');
  });
});

async function eventsOf(model: Model, asked: ModelRequest): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked)) events.push(event);
  return events;
}

/** How many tools each request had. */
function countSent({ requests }: FakeModelServer): readonly number[] {
  return requests.map(({ body }) => (Array.isArray(body.tools) ? body.tools.length : 0));
}
