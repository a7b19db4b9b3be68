import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnProcess } from '@parley/transports/process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSharedAgent } from '../agent-process.ts';
import { errorOf, until } from '../raw-client.ts';
import { createV2Client, type V2Client } from './v2-client.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-v2-processes-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An agent in a process of its own; all of them share one file of sessions. */
async function startAgent(): Promise<V2Client> {
  const args = [await buildSharedAgent(), join(folder, 'sessions.db')];
  const transport = await spawnProcess({ command: process.execPath, args, recordsDir: false });
  const client = createV2Client(transport, transport.process.exited);
  await client.initialize();
  return client;
}

describe('a client of another process than the one that works', () => {
  it('cancels one of its tool calls, has a prompt inserted behind its turn, and follows both', async () => {
    const [owner, other] = await Promise.all([startAgent(), startAgent()]);
    await using _owner = owner;
    await using _other = other;
    const { sessionId } = await owner.newSession();
    await other.resume(sessionId);
    await owner.prompt(sessionId, 'sleep');
    await until(() => other.updates().filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update').length === 2);
    const queued = other.prompt(sessionId, 'hello');
    const unknown = other.request('tool_call/cancel', { sessionId, toolCallId: 'never-was' });
    expect(await errorOf(unknown)).toMatchObject({ code: -32602 });
    expect(await other.request('tool_call/cancel', { sessionId, toolCallId: 'sleep' })).toEqual({});
    const { messageId } = await queued;
    await Promise.all([owner.untilIdle(2), other.untilIdle(2)]);
    for (const client of [owner, other]) {
      expect(client.said()).toBe('awakeYou said: hello');
      expect(client.updates()).toContainEqual(
        expect.objectContaining({ sessionUpdate: 'user_message_chunk', messageId }),
      );
      expect(client.states().filter((state) => state !== 'idle')).toEqual([
        'running',
        'idle end_turn',
        'running',
        'idle end_turn',
      ]);
    }
  });
});
