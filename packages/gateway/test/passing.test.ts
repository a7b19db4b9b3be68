import type { Step } from '@parley/testing/scripted-agent';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { host, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

const text = (words: string, more: object = {}): object => ({ type: 'text', text: words, ...more });

/** As real agents word it, with what the specification knows, does not know yet, and will never know. */
const TRAFFIC: readonly object[] = [
  { sessionUpdate: 'agent_thought_chunk', content: text('Let me see'), vendorThought: 1 },
  { sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: text('Hello', { cache: { ttl: 5 } }) },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: 'aGk=', mimeType: 'image/png', alt: 'x' } },
  { sessionUpdate: 'agent_message_chunk', content: { type: '_chart', points: [1, 2] }, _meta: { trace: 'abc' } },
  {
    sessionUpdate: 'plan',
    entries: [{ content: 'Look', priority: 'high', status: 'in_progress', id: 'step-1' }],
    planKind: 'todo',
  },
  {
    sessionUpdate: 'tool_call',
    toolCallId: 'call-1',
    title: 'Edit a file',
    kind: 'edit',
    status: 'pending',
    rawInput: { path: 'relative/path.ts' },
    locations: [{ path: '/repo/a.ts', line: 3, column: 7 }],
    permissionMode: 'plan',
    _meta: { claudeCode: { toolName: 'Edit' } },
  },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call-1',
    status: 'completed',
    content: [
      { type: 'diff', path: '/repo/a.ts', oldText: 'a', newText: 'b', hunks: 2 },
      { type: 'content', content: text('done'), label: 'Result' },
      { type: 'terminal', terminalId: 'agents-own' },
    ],
    rawOutput: { ok: true },
    durationMs: 12,
  },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call-1',
    _meta: { terminal_info: { terminal_id: 'agents-own', cwd: '/repo' } },
  },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call-1',
    _meta: { terminal_output: { terminal_id: 'agents-own', data: 'out' } },
  },
  { sessionUpdate: 'usage_update', used: 5, size: 100, cost: { amount: 1, currency: 'EUR', tax: 2 }, cached: 3 },
  { sessionUpdate: 'session_info_update', title: 'A title', mood: 'good' },
  { sessionUpdate: 'notice', severity: 'info', title: 'Mind', description: 'the gap', code: 7 },
  { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'in_progress', tokens: 5 },
  { sessionUpdate: 'compaction_summary_chunk', compactionId: 'k', content: text('short') },
  { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [] }, extraPlan: 1 },
  { sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Helper', colour: 'red' },
  { sessionUpdate: 'future_kind', deep: { list: [1, { two: 2 }] } },
  { sessionUpdate: '_vendor/kind', value: null },
  { sessionUpdate: 'agent_message_chunk', messageId: 'm2', content: text('Bye'), _meta: {} },
];

const END = {
  do: 'respond',
  result: {
    stopReason: 'max_tokens',
    usage: { totalTokens: 99, inputTokens: 5, outputTokens: 6, thoughtTokens: 1 },
    _meta: { turn: { cost: 3 } },
    userMessageId: 'u1',
  },
} as const;

const play = (updates: readonly object[]): Step[] => [
  ...updates.map((update): Step => ({ do: 'update', update })),
  END,
];

describe('what an agent says', () => {
  it('arrives at the client message by message, as it left the agent', async () => {
    const client = await rawClient(host(scripted({ on: { 'session/prompt': play(TRAFFIC) } })));
    const sessionId = await client.open();
    expect(await client.prompt(sessionId, 'go')).toEqual(END.result);
    expect(client.updates).toEqual(TRAFFIC);
  });

  it('is told again whole to who loads the session, but for what is of the moment', async () => {
    const hosted = host(scripted({ on: { 'session/prompt': play(TRAFFIC) } }));
    const first = await rawClient(hosted);
    const sessionId = await first.open();
    await first.prompt(sessionId, 'go');
    const second = await rawClient(hosted);
    await second.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    const lasting = TRAFFIC.filter((update) => (update as { sessionUpdate: string }).sessionUpdate !== 'notice');
    expect(second.updates).toEqual([
      expect.objectContaining({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'go' } }),
      ...lasting,
    ]);
  });

  it('is whole for whatever fields and kinds there are', async () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/).map((word) => `x_${word}`);
    const extra = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    const block = fc.string({ maxLength: 10 }).map((words) => ({ type: 'text', text: words.replaceAll('$', '') }));
    const update = fc.oneof(
      fc.record({ sessionUpdate: fc.constantFrom('agent_message_chunk', 'agent_thought_chunk'), content: block }),
      fc.record({ sessionUpdate: fc.constant('usage_update'), used: fc.nat(), size: fc.nat() }),
      fc.record({ sessionUpdate: fc.constant('session_info_update'), title: fc.string({ maxLength: 5 }) }),
      fc.record({ sessionUpdate: name, any: fc.jsonValue({ maxDepth: 2 }) }),
    );
    const whole = fc.tuple(update, extra).map(([fields, more]) => {
      const sent = JSON.parse(JSON.stringify({ ...more, ...fields }).replaceAll('$', '')) as Record<string, unknown>;
      return sent;
    });
    await fc.assert(
      fc.asyncProperty(fc.array(whole, { minLength: 1, maxLength: 30 }), async (updates) => {
        const client = await rawClient(host(scripted({ on: { 'session/prompt': play(updates) } })));
        const sessionId = await client.open();
        await client.prompt(sessionId, 'go');
        expect(joined(client.updates)).toEqual(joined(updates as Record<string, unknown>[]));
      }),
      { numRuns: 8 },
    );
  }, 60_000);

  it('may come before the session is known, and between turns', async () => {
    const commands = {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'a', description: 'b' }],
    };
    const greeting = { sessionUpdate: 'agent_message_chunk', messageId: 'hello', content: text('Welcome') };
    const script = {
      on: {
        'session/new': [
          {
            do: 'inOneWrite',
            steps: [
              { do: 'respond', result: { sessionId: 's1' } },
              { do: 'update', update: commands },
              { do: 'update', update: greeting },
            ],
          },
        ],
        _later: [{ do: 'update', update: { sessionUpdate: 'session_info_update', title: 'Later' } }],
      },
    } as const;
    const client = await rawClient(host(scripted(script)));
    await client.open();
    await until(() => client.updates.length === 2);
    expect(client.updates).toEqual(expect.arrayContaining([commands, greeting]));
    void client.connection.notify('_later', {});
    await until(() => client.updates.length === 3);
    expect(client.updates[2]).toEqual({ sessionUpdate: 'session_info_update', title: 'Later' });
  });
});

/** How much of a text a piece holds means nothing, so pieces that follow each other are one. */
function joined(updates: readonly Record<string, unknown>[]): unknown[] {
  const result: Record<string, unknown>[] = [];
  for (const update of updates) {
    const last = result.at(-1);
    const isPiece =
      Object.keys(update).length === 2 && (update.content as { text?: string } | undefined)?.text !== undefined;
    if (isPiece && last && Object.keys(last).length === 2 && last.sessionUpdate === update.sessionUpdate) {
      const before = (last.content as { text: string }).text;
      last.content = { type: 'text', text: before + (update.content as { text: string }).text };
    } else result.push({ ...update });
  }
  return result;
}
