import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyEvent, createTranscript, eventFromV1, type SessionEvent, type Transcript } from '@parley/session';
import { eventFromV2, TerminalTexts } from '@parley/session/v2';
import { sqliteStore } from '@parley/store/sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { type Agent, agent } from '../../src/index.ts';
import { CWD, connectRawClient, type RawClient, settle, until } from '../raw-client.ts';
import { connectV2Client, type V2Client } from './v2-client.ts';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Sessions on disk, so that another agent finds them too. */
async function databasePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-one-log-'));
  folders.push(folder);
  return join(folder, 'sessions.db');
}

function talker(path?: string): Agent {
  const store = path === undefined ? {} : { store: sqliteStore({ path }) };
  return agent({ name: 'talker', version: '1', onDiagnostic: () => {}, ...store }).onPrompt(async (turn) => {
    if (turn.text === 'wait') {
      turn.toolCall({ title: 'Wait' }).start();
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
      return;
    }
    turn.think('Hm.');
    turn.say(`You said ${turn.text}.`);
    turn.update({ type: 'message_chunk', speaker: 'agent', content: { type: 'text', text: 'By the way.' } });
    turn.plan([{ content: 'Ask', priority: 'high', status: 'completed' }]);
    const call = turn.toolCall({ title: 'Remove it', kind: 'delete' });
    const { allowed } = await turn.askPermission(call);
    if (allowed) call.complete({ text: 'gone' });
    else call.fail('kept');
  });
}

const allow = () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } });

async function openV1(served: Agent): Promise<RawClient> {
  const client = connectRawClient(served);
  client.connection.onRequest('session/request_permission', allow);
  await client.initialize();
  return client;
}

async function openV2(served: Agent): Promise<V2Client> {
  const client = connectV2Client(served);
  client.connection.onRequest('session/request_permission', allow);
  await client.initialize();
  return client;
}

/** The conversation as a client of either version has it; ids aside, of which version 1 may have none. */
function conversation(events: readonly (SessionEvent | undefined)[]): unknown[] {
  let transcript: Transcript = createTranscript();
  for (const event of events) if (event) transcript = applyEvent(transcript, event);
  return transcript.entries.toArray().flatMap((entry): unknown[] => {
    if (entry.type === 'message') return [{ speaker: entry.speaker, content: entry.content }];
    if (entry.type === 'thought') return [{ thought: entry.content }];
    if (entry.type === 'tool_call') return [{ title: entry.title, status: entry.status, content: entry.content }];
    return [];
  });
}

async function loadedV1(served: Agent, sessionId: string): Promise<unknown[]> {
  await using client = await openV1(served);
  await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  return conversation(client.updates().map((update) => eventFromV1(update)));
}

async function loadedV2(served: Agent, sessionId: string): Promise<unknown[]> {
  await using client = await openV2(served);
  await client.resume(sessionId, { replayFrom: { type: 'start' } });
  const terminals = new TerminalTexts();
  return conversation(client.updates().map((update) => eventFromV2(update, terminals)));
}

describe('one log for both versions', () => {
  it('lets a client of version 2 go on with what one of version 1 has begun, and the other way round', async () => {
    const path = await databasePath();
    const began = talker(path);
    const first = await openV1(began);
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'one');
    await first[Symbol.asyncDispose]();

    const second = await openV2(talker(path));
    await second.resume(sessionId);
    await second.prompt(sessionId, 'two');
    await second.untilIdle();
    await second[Symbol.asyncDispose]();

    const third = await openV1(talker(path));
    await third.request('session/resume', { sessionId, cwd: CWD });
    expect(await third.prompt(sessionId, 'three')).toEqual({ stopReason: 'end_turn' });
    await third[Symbol.asyncDispose]();

    const last = talker(path);
    const seenByV1 = await loadedV1(last, sessionId);
    const seenByV2 = await loadedV2(last, sessionId);
    expect(seenByV1).toHaveLength(15);
    expect(seenByV2).toEqual(seenByV1);
  });

  it('shows both the same at once, asks both, and heeds a cancel of either', async () => {
    const served = talker();
    await using older = connectRawClient(served);
    await older.initialize();
    const { sessionId } = await older.newSession();
    await using newer = connectV2Client(served);
    await newer.initialize();
    await newer.resume(sessionId);
    const asked: string[] = [];
    older.connection.onRequest('session/request_permission', ({ signal }) => {
      asked.push('v1');
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ outcome: { outcome: 'cancelled' } }), { once: true });
      });
    });
    newer.connection.onRequest('session/request_permission', async () => {
      await until(() => asked.includes('v1'));
      asked.push('v2');
      return allow();
    });
    expect(await older.prompt(sessionId, 'both')).toEqual({ stopReason: 'end_turn' });
    await newer.untilIdle();
    expect(asked).toEqual(['v1', 'v2']);
    expect(older.said()).toBe(newer.said());
    expect(newer.states()).toEqual(['idle', 'running', 'requires_action', 'running', 'idle end_turn']);
    expect(newer.updates()).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'both' } }),
    );

    const waiting = older.prompt(sessionId, 'wait');
    await until(() => newer.states().length === 6);
    newer.notify('session/cancel', { sessionId });
    expect(await waiting).toEqual({ stopReason: 'cancelled' });

    await newer.prompt(sessionId, 'wait');
    await settle();
    older.notify('session/cancel', { sessionId });
    await newer.untilIdle(3);
    expect(newer.states().slice(-2)).toEqual(['running', 'idle cancelled']);
  });
});
