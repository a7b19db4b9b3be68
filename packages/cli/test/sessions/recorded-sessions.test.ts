import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sqliteStore } from '@parley/store/sqlite';
import { type AgentScript, sayAndEnd } from '@parley/testing/scripted-agent';
import { beforeAll, describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

// Written by the last version that kept conversations with other agents in its own records: sessions "trip" (three turns, a title, an option,
// `_meta`), "other" (closed) and "untouched" (no turn yet) of the agent "theirs", which named all of them "theirs-1", and "mine" of our agent.
const RECORDED = fileURLToPath(new URL('./fixtures/recorded-sessions.db', import.meta.url));

const effort = { id: 'effort', name: 'Effort', type: 'select', currentValue: 'low' };
const configOptions = [{ ...effort, options: ['low', 'high'].map((value) => ({ value, name: value })) }];
const theirs: AgentScript = {
  capabilities: { sessionCapabilities: { resume: {} } },
  on: {
    'session/resume': [{ do: 'respond', result: { configOptions } }],
    'session/set_config_option': [{ do: 'respond', result: { configOptions } }],
    'session/prompt': sayAndEnd('$sessionId heard $prompt'),
  },
};

const parley = useParley();
const json = async (...args: string[]) => JSON.parse((await parley.run([...args, '--json'])).stdout);
const history = async (name: string): Promise<string> => (await parley.run(['sessions', 'history', name])).stdout;
const BEFORE = ['one', 'two', 'three'].map((word) => `> ${word}\ntheirs-1 heard ${word}\n[done] end_turn\n`).join('\n');

describe('sessions that an older version has recorded', () => {
  beforeAll(async () => {
    const folder = join(parley.env.XDG_STATE_HOME ?? '', 'parley');
    mkdirSync(folder, { recursive: true });
    copyFileSync(RECORDED, join(folder, 'sessions.db'));
    const argv = JSON.stringify({ argv: parley.agentWords(theirs) });
    expect((await parley.run(['config', 'set', 'agents.theirs', argv])).code).toBe(0);
  });

  it('are listed, shown and exported as they are', async () => {
    const { sessions } = await json('sessions', 'list', '--all');
    expect(sessions.map(({ name }: { name: string }) => name)).toEqual(['mine', 'untouched', 'other', 'trip']);
    expect(await json('status', '-s', 'trip')).toMatchObject({
      title: 'A trip with three turns',
      agentSessionId: 'theirs-1',
      lastStopReason: 'end_turn',
      state: 'idle',
    });
    expect(await history('trip')).toBe(BEFORE);
    expect(JSON.parse((await parley.run(['sessions', 'export', 'trip'])).stdout)).toMatchObject({
      session: { agent: 'theirs', agentSessionId: 'theirs-1', settings: { effort: 'high' } },
    });
  });

  it('go on at the agent with their settings, in one log with what was said before', async () => {
    const { stdout, code } = await parley.run(['prompt', '-s', 'trip', '--format', 'json', 'four']);
    expect(code, stdout).toBe(0);
    const lines = readLines(stdout);
    expect(lines.find(({ method }) => method === 'session/resume')?.params).toMatchObject({
      sessionId: 'theirs-1',
      _meta: { systemPrompt: { append: 'Be brief.' } },
    });
    expect(lines.find(({ method }) => method === 'session/set_config_option')?.params).toMatchObject({ value: 'high' });
    expect(await history('trip')).toBe(`${BEFORE}\n> four\ntheirs-1 heard four\n[done] end_turn\n`);
    expect(await json('status', '-s', 'trip')).toMatchObject({ agentSessionId: 'theirs-1', name: 'trip' });
    expect((await json('sessions', 'list', '--all')).sessions).toHaveLength(4);
  });

  it('have a log each, although the agent gave several the same id, and processes that migrate one at once make one', async () => {
    const prompts = ['first', 'second'].map((word) => parley.run(['prompt', '-s', 'untouched', word]));
    for (const { code, stderr } of await Promise.all(prompts)) expect(code, stderr).toBe(0);
    const told = await history('untouched');
    expect(told.match(/theirs-1 heard (first|second)/g)).toHaveLength(2);
    expect(told).not.toContain('three');
    await using store = sqliteStore({ path: join(parley.env.XDG_STATE_HOME ?? '', 'parley', 'sessions.db') });
    const { sessions } = await store.log('hosted').list();
    expect(sessions.map(({ id }) => id).sort()).toHaveLength(2);
    expect(sessions.map(({ id }) => id)).toContain('theirs-1');
  });

  it('are changed, forked, trimmed and deleted like others', async () => {
    expect((await parley.run(['sessions', 'rename', 'trip', 'another', 'title'])).code).toBe(0);
    expect(await json('status', '-s', 'trip')).toMatchObject({ title: 'another title' });
    const trimmed = await parley.run(['sessions', 'trim', 'trip', '--keep-turns', '1']);
    expect(trimmed.stdout, trimmed.stderr).toContain('deleted 3 turns');
    expect(await history('trip')).toContain('theirs-1 heard four');
    expect((await parley.run(['sessions', 'delete', 'trip', 'other', 'mine'])).code).toBe(0);
    expect((await json('sessions', 'list', '--all')).sessions).toMatchObject([{ name: 'untouched' }]);
  });
});
