import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type UpdateSessionNotification,
} from '@agentclientprotocol/sdk/experimental/v2';
import { buildStoreProgram } from '@parley/testing/build-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../raw-client.ts';

const AGENT = new URL('../interop-agent.ts', import.meta.url);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-sdk-v2-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Update = UpdateSessionNotification['update'];

interface Connected {
  readonly agent: ClientContext;
  readonly updates: Update[];
  readonly asked: unknown[];
  readonly states: () => string[];
  readonly untilIdle: (count: number) => Promise<void>;
  readonly said: () => string;
  readonly close: () => Promise<void>;
}

/** The official SDK's client of version 2, over the pipes of a real agent process. */
async function connectSdkClient(): Promise<Connected> {
  const args = [(await buildStoreProgram(AGENT)).path, join(folder, 'sessions.db')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const updates: Update[] = [];
  const asked: unknown[] = [];
  const app = client({ name: 'sdk' })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      const option = params.options.find(({ kind }) => kind === 'allow_once');
      return { outcome: { outcome: 'selected' as const, optionId: option?.optionId ?? '' } };
    });
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
    ),
  );
  const states = (): string[] =>
    updates.flatMap((update) => {
      if (update.sessionUpdate !== 'state_update') return [];
      const { state, stopReason } = update as { state: string; stopReason?: string };
      return [stopReason ? `${state} ${stopReason}` : state];
    });
  await connection.agent.request(methods.agent.initialize, {
    protocolVersion: 2,
    info: { name: 'sdk', version: '1' },
    capabilities: {},
  });
  return {
    agent: connection.agent,
    updates,
    asked,
    states,
    untilIdle: (count) => until(() => states().filter((state) => state.startsWith('idle ')).length >= count),
    said: () =>
      updates
        .flatMap((update) =>
          update.sessionUpdate === 'agent_message_chunk' ? [update.content as { text?: string }] : [],
        )
        .map(({ text }) => text ?? '')
        .join(''),
    async close() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      connection.close();
      child.stdin.end();
      expect(await exited).toBe(0);
    },
  };
}

describe('the official SDK’s client of version 2 at an agent process', () => {
  it('prompts, is asked, cancels, prompts again, cancels a tool call, and resumes with the whole conversation', async () => {
    const first = await connectSdkClient();
    const { agent } = first;
    const { sessionId, configOptions } = await agent.request(methods.agent.session.new, { cwd: folder });
    expect(configOptions?.map(({ configId }) => configId)).toEqual(['mode', 'model', 'fast']);
    const prompt = (text: string) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });

    const { messageId } = await prompt('say one two three');
    await first.untilIdle(1);
    expect(first.said()).toBe('one two three ');
    expect(first.updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'user_message_chunk', messageId }));

    await prompt('remove');
    await first.untilIdle(2);
    expect(first.asked).toMatchObject([{ title: 'Remove it', subject: { type: 'tool_call' } }]);
    expect(first.states().slice(2)).toEqual(['running', 'requires_action', 'running', 'idle end_turn']);

    await prompt('wait');
    await agent.notify(methods.agent.session.cancel, { sessionId });
    await first.untilIdle(3);
    expect(first.states().at(-1)).toBe('idle cancelled');

    await prompt('sleep');
    await until(() => first.updates.some(({ sessionUpdate }) => sessionUpdate === 'terminal_output_chunk'));
    expect(await agent.request(methods.agent.toolCall.cancel, { sessionId, toolCallId: 'sleep' })).toEqual({});
    await first.untilIdle(4);
    expect(first.said()).toBe('one two three good morning');
    expect(first.states().at(-1)).toBe('idle end_turn');
    await first.close();

    const second = await connectSdkClient();
    await second.agent.request(methods.agent.session.resume, { sessionId, cwd: folder, replayFrom: { type: 'start' } });
    // The SDK hands over updates behind the answer that they came before.
    await until(() => second.states().length > 0);
    expect(second.states()).toEqual(['idle']);
    expect(second.said()).toBe('one two three good morning');
    expect(second.updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'user_message_chunk', messageId }));
    await second.agent.request(methods.agent.session.close, { sessionId });
    await second.close();
  });
});
