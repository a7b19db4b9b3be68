import { agent, type PromptHandler } from '@parley/agent';
import type { SessionEvent } from '@parley/session';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, type SubagentUpdate } from '../../src/index.ts';

async function open(handler: PromptHandler, unstable = true) {
  const [near, far] = createMemoryPair();
  const served = agent({ name: 'a', version: '1', unstable: true }).onPrompt(handler).serve(far);
  const connection = await connect(near, { unstable, protocol: 1 });
  onTestFinished(async () => {
    await connection.close();
    await served;
  });
  return { connection, session: await connection.newSession({ cwd: '/' }) };
}

const STEP = { content: 'read', priority: 'medium', status: 'pending' } as const;

const plans: PromptHandler = async (turn) => {
  void turn.update({ type: 'plan', planId: 'a', entries: [STEP] });
  void turn.update({ type: 'plan', planId: 'b', entries: [], document: { markdown: '# Plan' } });
  void turn.update({ type: 'plan', planId: 'c', entries: [], document: { uri: 'file:///plan.md' } });
  void turn.update({ type: 'plan', planId: 'c', entries: [], isRemoved: true });
};

describe('updates that are unstable', () => {
  it('tell of plans by their ids, as steps, text or a file, and of their end', async () => {
    const { session } = await open(plans);
    const seen: SessionEvent[] = [];
    session.on('event', (event) => event.type === 'plan' && seen.push(event));
    const documents: unknown[] = [];
    session.on('event', () => documents.push(session.transcript.planDocument));
    await session.prompt('go').result;
    expect(seen).toEqual([
      { type: 'plan', planId: 'a', entries: [STEP] },
      { type: 'plan', planId: 'b', entries: [], document: { markdown: '# Plan' } },
      { type: 'plan', planId: 'c', entries: [], document: { uri: 'file:///plan.md' } },
      { type: 'plan', planId: 'c', entries: [], isRemoved: true },
    ]);
    expect(documents).toContainEqual({ markdown: '# Plan' });
    // What is left when one is gone are the others.
    expect(session.transcript.plans).toEqual([
      { planId: 'a', entries: [STEP] },
      { planId: 'b', entries: [], document: { markdown: '# Plan' } },
    ]);
  });

  it('are told in the words of the stable protocol to a client that knows no others', async () => {
    const { session } = await open(plans, false);
    const seen: SessionEvent[] = [];
    session.on('event', (event) => event.type === 'plan' && seen.push(event));
    await session.prompt('go').result;
    expect(seen).toEqual([
      { type: 'plan', entries: [STEP] },
      { type: 'plan', entries: [] },
    ]);
  });

  it('tell of sessions that a session has made, of what is said between them, and of what happens in them', async () => {
    const handler: PromptHandler = async (turn) => {
      void turn.update({ type: 'subagent', sessionId: 'child', title: 'Search', state: { state: 'running' } });
      void turn.update({
        type: 'session_message',
        messageId: 'm',
        recipientSessionId: 'child',
        content: [{ type: 'text', text: 'look' }],
      });
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'found' } };
      void turn.client.notify('session/update', { sessionId: 'child', update });
      void turn.update({ type: 'subagent', sessionId: 'child', title: null, state: { state: 'idle' } });
    };
    const { connection, session } = await open(handler);
    const told: SubagentUpdate[] = [];
    connection.on('subagent', (update) => told.push(update));
    const { entries } = await session.prompt('go').result;
    expect(session.transcript.subagents).toEqual([{ sessionId: 'child', state: { state: 'idle' } }]);
    // The call of the sub-agent has what it was told and what it said.
    expect(entries.map(({ type }) => type)).toEqual(['message', 'tool_call']);
    expect(entries.at(-1)).toMatchObject({
      toolCallId: 'child',
      title: 'Sub-agent',
      status: 'completed',
      rawInput: { prompt: 'look' },
      content: [{ content: { text: 'found' } }],
    });
    expect(told).toMatchObject([
      { parentId: session.id, sessionId: 'child', event: { type: 'message_chunk', content: { text: 'found' } } },
    ]);
    expect(connection.counts.foreignUpdates).toBe(0);
    const plain = await open(handler, false);
    await plain.session.prompt('go').result;
    expect(plain.session.transcript.subagents).toEqual([]);
    expect(plain.connection.counts.foreignUpdates).toBe(1);
  });

  it('are refused where they are said when the protocol does not allow them', async () => {
    let thrown: unknown;
    const { session } = await open(async (turn) => {
      try {
        void turn.update({ type: 'subagent', sessionId: 'child', title: 5 as never });
      } catch (error) {
        thrown = error;
      }
    });
    await session.prompt('go').result;
    expect(thrown).toMatchObject({ code: 'invalid_update', message: expect.stringContaining('title') });
  });
});
