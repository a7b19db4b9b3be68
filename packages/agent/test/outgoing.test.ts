import { type CustomContent, customBlock } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import { type AgentOptions, agent, type PromptHandler } from '../src/index.ts';
import { ALL_CAPABILITIES, connectRawClient, errorOf, testAgent } from './raw-client.ts';

async function start(handler: PromptHandler, options: Partial<AgentOptions> = {}) {
  const { built, diagnostics } = testAgent(options);
  const client = connectRawClient(built.onPrompt(handler));
  await client.initialize(ALL_CAPABILITIES);
  const { sessionId } = await client.newSession();
  return { client, diagnostics, sessionId, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

const CHART: CustomContent = { type: '_chart', points: [1, 2] };

const INVALID: readonly (readonly [what: string, event: object, path: string])[] = [
  ['a kind', { type: 'tool_call', toolCallId: 't', title: 'x', kind: 'channel' }, 'kind: '],
  ['a status', { type: 'tool_call', toolCallId: 't', title: 'x', status: 'running' }, 'status: '],
  ['a content type', { type: 'message_chunk', speaker: 'agent', content: { type: '_chart' } }, 'content.type: '],
  ['a text', { type: 'message_chunk', speaker: 'agent', content: { type: 'text', text: 5 } }, 'content.text: '],
  ['a message id', { type: 'thought_chunk', messageId: 5, content: { type: 'text', text: 'a' } }, 'messageId: '],
  [
    'a step of a plan',
    { type: 'plan', entries: [{ content: 'a', priority: 'medium', status: 'done' }] },
    'entries[0]: ',
  ],
  ['a notice', { type: 'notice', severity: 'info', title: 5 }, 'title: '],
  ['a command', { type: 'commands', commands: [{ name: 'x' }] }, 'availableCommands[0]'],
  ['a variant', { type: 'unknown', variant: 'chart', raw: { sessionUpdate: 'chart' } }, 'raw.sessionUpdate'],
];

describe.each([
  ['without a store', () => ({})],
  ['with a store', () => ({ store: memoryStore({ isShared: true }) })],
])('an agent %s', (_, options) => {
  it.each(INVALID)(
    'never sends %s that the protocol does not know: its author hears of it',
    async (_what, event, path) => {
      let thrown: unknown;
      await using test = await start(async (turn) => {
        try {
          void turn.update(event as SessionEvent);
        } catch (error) {
          thrown = error;
        }
        void turn.say('still here');
      }, options());
      await test.client.prompt(test.sessionId, 'go');
      expect(thrown).toMatchObject({ code: 'invalid_update', message: expect.stringContaining(path) });
      expect(test.client.said()).toBe('still here');
      const agentUpdates = test.client.updates().filter(({ sessionUpdate }) => sessionUpdate !== 'session_info_update');
      expect(agentUpdates).toHaveLength(1);
    },
  );

  it('says and shows content of its own types once they are declared', async () => {
    await using test = await start(
      async (turn) => {
        void turn.say(customBlock(CHART));
        turn.toolCall({ title: 'Draw' }).complete({ content: [customBlock(CHART)] });
      },
      { ...options(), customContent: ['_chart'] },
    );
    await test.client.prompt(test.sessionId, 'go');
    const updates = test.client.updates();
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'agent_message_chunk', content: CHART }));
    expect(updates).toContainEqual(expect.objectContaining({ content: [{ type: 'content', content: CHART }] }));
  });

  it('gets content of types that it does not know in a prompt as it was sent, and tells it again', async () => {
    let seen: unknown;
    await using test = await start(async (turn) => {
      seen = turn.content;
    }, options());
    const { client, sessionId } = test;
    const prompt = [{ type: 'text', text: 'see' }, CHART];
    expect(await client.request('session/prompt', { sessionId, prompt })).toEqual({ stopReason: 'end_turn' });
    expect(seen).toEqual(prompt);
    await client.request('session/load', { sessionId, cwd: '/proj/project', mcpServers: [] });
    expect(client.updates()).toContainEqual(expect.objectContaining({ content: CHART }));
    const refused = await errorOf(client.request('session/prompt', { sessionId, prompt: [{ type: 'text' }] }));
    expect(refused).toMatchObject({ code: -32602, message: expect.stringContaining('prompt[0].text') });
  });
});

describe('an agent', () => {
  it('does not ask its client for what the protocol does not know', async () => {
    let thrown: unknown;
    await using test = await start(async (turn) => {
      thrown = await turn.client.readTextFile('/a', { line: 1.5 }).catch((error: unknown) => error);
    });
    await test.client.prompt(test.sessionId, 'go');
    expect(thrown).toMatchObject({ code: 'invalid_value', message: expect.stringContaining('line: ') });
    expect(test.client.messages).not.toContainEqual(expect.objectContaining({ method: 'fs/read_text_file' }));
  });

  it('has no answer rather than an invalid one when it was put together wrongly', async () => {
    const { built, diagnostics } = testAgent();
    built.mode({ id: 'a', name: 5 as never }).onPrompt(async () => {});
    await using client = connectRawClient(built);
    await client.initialize();
    expect(await errorOf(client.newSession())).toMatchObject({ code: -32603 });
    expect(diagnostics).toContainEqual(expect.objectContaining({ kind: 'invalid_answer' }));
  });

  it('cannot declare content under a name that the protocol may take', async () => {
    const built = agent({ name: 'a', version: '1', customContent: ['chart' as '_chart'] }).onPrompt(async () => {});
    await expect(built.serve(undefined as never)).rejects.toMatchObject({ code: 'invalid_definition' });
  });
});
