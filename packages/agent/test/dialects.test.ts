import type { DialectChoice } from '@parley/dialects';
import { describe, expect, it } from 'vitest';
import { TurnError } from '../src/errors.ts';
import { agent } from '../src/index.ts';
import { connectRawClient } from './raw-client.ts';

const CWD = '/proj';
const errorOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error) => error);
const build = () => agent({ name: 'test', version: '1', onDiagnostic: () => {} }).onPrompt(async () => 'end_turn');

describe('an agent behind a dialect', () => {
  it('is given the credentials of a pharo login, and no message has them', async () => {
    const heard: unknown[] = [];
    const built = build()
      .auth({ id: 'api_key', name: 'API Key' }, ({ credentials }) => {
        heard.push(credentials);
        const { apiKey } = (credentials ?? {}) as { apiKey?: unknown };
        if (apiKey !== 'right') throw new TurnError('That key is not valid.', { rpcCode: -32000 });
      })
      .requireAuth();
    await using client = connectRawClient(built, { dialect: 'pharo' });
    const { authenticationMethods } = await client.initialize();
    expect(authenticationMethods).toMatchObject([{ methodId: 'api_key', title: 'API Key' }]);
    const login = (credentials?: object) => client.request('authenticate', { methodId: 'api_key', credentials });
    expect(await errorOf(login({ apiKey: 'wrong' }))).toMatchObject({ code: -32001 });
    expect(await errorOf(login())).toMatchObject({ code: -32001 });
    expect(await login({ apiKey: 'right' })).toBeNull();
    expect(heard).toEqual([{ apiKey: 'wrong' }, undefined, { apiKey: 'right' }]);
    expect(await client.request('session/new', { cwd: CWD, mcpServers: [] })).toHaveProperty('sessionId');
  });

  it('finds the dialect out, and tells its modes where the dialect wants them', async () => {
    const choices: DialectChoice[] = [];
    const built = build().mode({ id: 'code', name: 'Code' });
    await using client = connectRawClient(built, {
      dialect: { dialect: 'auto', onDialect: (choice) => choices.push(choice) },
    });
    const terminal = { create: true, output: true, waitForExit: true, kill: true, release: true };
    const params = { protocolVersion: 1, clientCapabilities: { terminal } };
    expect(await client.request('initialize', params)).toMatchObject({
      agentCapabilities: { sessionModes: [{ modeId: 'code', title: 'Code' }] },
    });
    expect(choices).toMatchObject([{ dialect: 'pharo' }]);
  });
});

describe('a session that is loaded by its id alone', () => {
  it('is found in the store, on another connection, by its own principal alone', async () => {
    const built = build();
    await using first = connectRawClient(built, { dialect: 'pharo', principal: 'ann' });
    await first.initialize();
    const { sessionId } = await first.request<{ sessionId: string }>('session/new', { cwd: CWD, mcpServers: [] });
    await using second = connectRawClient(built, { dialect: 'auto', principal: 'ann' });
    await second.initialize();
    expect(await second.request('session/load', { sessionId, mcpServers: [] })).toBeNull();
    await using other = connectRawClient(built, { dialect: 'pharo', principal: 'bob' });
    await other.initialize();
    expect(await errorOf(other.request('session/load', { sessionId, mcpServers: [] }))).toMatchObject({ code: -32005 });
  });
});

describe('an option that can be set by a mode', () => {
  it('is set by session/set_mode, stays an option, and leaves the mode as it is', async () => {
    const built = build()
      .mode({ id: 'code', name: 'Code' })
      .mode({ id: 'safe', name: 'A mode of the same name' })
      .option({ id: 'preset', name: 'Tools', values: ['full', 'safe', 'sandbox'], setByMode: true })
      .option({ id: 'model', name: 'Model', values: ['small', 'large'] });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId, modes } = await client.newSession();
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['code', 'safe']);
    const setMode = (modeId: string) => client.request('session/set_mode', { sessionId, modeId });
    expect(await setMode('sandbox')).toEqual({});
    await expect.poll(() => client.updates(sessionId)).toMatchObject([{ sessionUpdate: 'config_option_update' }]);
    const [update] = client.updates(sessionId);
    const values = update?.sessionUpdate === 'config_option_update' ? update.configOptions : [];
    expect(values.map(({ id, currentValue }) => [id, currentValue])).toEqual([
      ['mode', 'code'],
      ['preset', 'sandbox'],
      ['model', 'small'],
    ]);
    expect(await setMode('safe')).toEqual({});
    await expect
      .poll(() => client.updates(sessionId))
      .toContainEqual({
        sessionUpdate: 'current_mode_update',
        currentModeId: 'safe',
      });
    expect(await errorOf(setMode('large'))).toMatchObject({ code: -32602 });
    expect(await errorOf(setMode('nothing'))).toMatchObject({ code: -32602 });
  });
});
