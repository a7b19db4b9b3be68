import { LOCAL_PRINCIPAL } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PRINCIPAL } from '../src/index.ts';
import { CWD, connectRawClient, errorOf, testAgent } from './raw-client.ts';

describe.each([
  ['in memory', undefined],
  ['in a store', memoryStore({ isShared: true })],
])('sessions %s', (_, store) => {
  function build() {
    const { built } = testAgent({ unstable: true, ...(store && { store }) });
    return built.mode({ id: 'a', name: 'A' }).onPrompt(async (turn) => void turn.say(`for ${turn.session.principal}`));
  }

  it('belong to their principal: for others they do not exist', async () => {
    const built = build();
    await using ada = connectRawClient(built, { principal: 'ada' });
    await using eve = connectRawClient(built, { principal: 'eve' });
    await ada.initialize();
    await eve.initialize();
    const { sessionId } = await ada.newSession();
    await ada.prompt(sessionId, 'hi');
    const setup = { cwd: CWD, mcpServers: [] };
    const unknown = 'sess_00000000-0000-0000-0000-000000000000';
    const attempts: [string, object][] = [
      ['session/load', setup],
      ['session/resume', setup],
      ['session/fork', setup],
      ['session/prompt', { prompt: [{ type: 'text', text: 'hi' }] }],
      ['session/set_mode', { modeId: 'a' }],
      ['session/set_config_option', { configId: 'mode', value: 'a' }],
      ['session/status', {}],
      ['session/archive', {}],
      ['session/unarchive', {}],
      ['session/set_title', { title: 'mine now' }],
    ];
    for (const [method, params] of attempts) {
      const foreign = await errorOf(eve.request(method, { ...params, sessionId }));
      const missing = await errorOf(eve.request(method, { ...params, sessionId: unknown }));
      expect(foreign.code, method).toBe(-32002);
      const blank = (text: string, id: string): string => text.replaceAll(id, '*');
      expect(blank(JSON.stringify(foreign), sessionId)).toBe(blank(JSON.stringify(missing), unknown));
    }
    // The protocol lets both succeed for unknown sessions; an error for a foreign session would reveal that it exists.
    for (const id of [sessionId, unknown]) {
      expect(await eve.request('session/close', { sessionId: id })).toEqual({});
      expect(await eve.request('session/delete', { sessionId: id })).toEqual({});
    }
    eve.notify('session/cancel', { sessionId });
    expect(await eve.request('session/list')).toEqual({ sessions: [] });
    expect(eve.updates()).toEqual([]);
    expect(await ada.prompt(sessionId, 'still here')).toEqual({ stopReason: 'end_turn' });
    expect(ada.said()).toBe('for adafor ada');
    expect(await ada.request('session/list')).toMatchObject({ sessions: [{ sessionId, title: 'hi' }] });
    await ada.request('session/delete', { sessionId });
  });

  it('are shared by all connections of a principal', async () => {
    const built = build();
    await using first = connectRawClient(built, { principal: 'ada' });
    await first.initialize();
    const { sessionId } = await first.newSession();
    await using second = connectRawClient(built, { principal: 'ada' });
    await second.initialize();
    expect(await second.request('session/list')).toMatchObject({ sessions: [{ sessionId }] });
    await second.request('session/delete', { sessionId });
    expect(await errorOf(first.prompt(sessionId, 'hi'))).toMatchObject({ code: -32002 });
  });
});

it('belong to the one person at this machine when nobody says otherwise', () => {
  expect(DEFAULT_PRINCIPAL).toBe(LOCAL_PRINCIPAL);
});
