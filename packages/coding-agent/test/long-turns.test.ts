import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientSession } from '@parley/client';
import type { FakeEvent, FakeModelServer, Reply } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import type { CodingAgentOptions } from '../src/index.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

const text = (words: string): FakeEvent => ({ type: 'text', text: words });
const look: FakeEvent = { type: 'tool_call', name: 'read_file', input: { path: 'a.txt' } };
const cut: FakeEvent = { type: 'cut' };
const full: FakeEvent = { type: 'stop', reason: 'max_tokens' };

interface Scene {
  readonly session: ClientSession;
  readonly server: FakeModelServer;
  /** The session as another process would open it. */
  reload(): Promise<ClientSession>;
}

async function open(script: readonly Reply[], agent: CodingAgentOptions = {}): Promise<Scene> {
  const { path } = await makeProject({ 'a.txt': 'text' });
  const { env, server } = await startModel({ script });
  const connection = await startInProcess({ agent: { env, ...agent } });
  const session = await connection.newSession({ cwd: path });
  return {
    session,
    server,
    async reload() {
      await session.close();
      return connection.loadSession(session.id, { cwd: path });
    },
  };
}

function noticesIn({ transcript }: ClientSession): readonly string[] {
  return transcript.entries.toArray().flatMap((entry) => (entry.type === 'notice' ? [entry.title] : []));
}

function bodyOf({ server }: Scene, request = server.requests.length - 1): string {
  return JSON.stringify(server.requests[request]?.body);
}

function messagesIn({ server }: Scene): readonly unknown[] {
  const { messages = [] } = (server.requests.at(-1)?.body ?? {}) as { messages?: readonly unknown[] };
  return messages;
}

/** What a living session sent is what a loaded one sends. */
async function expectSameAfterLoad(scene: Scene): Promise<void> {
  scene.server.add('Living.', 'Loaded.');
  await scene.session.prompt('and now?').result;
  const messages = messagesIn(scene);
  await (await scene.reload()).prompt('and later?').result;
  expect(messagesIn(scene).slice(0, messages.length)).toEqual(messages);
}

describe('an answer that breaks off', () => {
  it.each<[string, FakeEvent]>([
    ['words', text('Half a sen')],
    ['a thought', { type: 'thought', text: 'Half a thou' }],
  ])('after %s is begun anew from the last whole step, and the model never hears of it', async (_, shown) => {
    const scene = await open([{ events: [look] }, { events: [shown, cut] }, 'Whole.']);
    const { stopReason, toolCalls } = await scene.session.prompt('go').result;
    expect(stopReason).toBe('end_turn');
    expect(toolCalls).toHaveLength(1);
    expect(noticesIn(scene.session)).toEqual(['The answer broke off; it was asked for 2 times']);
    await expectSameAfterLoad(scene);
    expect(bodyOf(scene)).toContain('Whole.');
    expect(bodyOf(scene)).not.toContain('Half a');
  });

  it('is tried ten times, told in one line, and then says how often', async () => {
    const scene = await open([{ events: [text('Oh'), cut], repeat: true }]);
    await expect(scene.session.prompt('go').result).rejects.toThrow('It was tried 10 times.');
    expect(scene.server.requests).toHaveLength(10);
    expect(noticesIn(scene.session)).toEqual(['The answer broke off; it was asked for 10 times']);
  });

  it('or never begins is told why by the error of its turn, and not once more by a notice', async () => {
    const retry = { maxAttempts: 2, baseDelayMs: 1 };
    const { session } = await open([{ error: 'overloaded', repeat: true }], { retry });
    await expect(session.prompt('go').result).rejects.toThrow('It was tried 2 times.');
    const notices = session.transcript.entries.toArray().filter(({ type }) => type === 'notice');
    expect(notices).toMatchObject([{ title: 'The model did not answer; it was asked for 2 times' }]);
    expect(notices[0]).not.toHaveProperty('description');
  });

  it('at the limit of its length goes on where it ended', async () => {
    const scene = await open([{ events: [text('Once upon'), full] }, ' a time.']);
    expect((await scene.session.prompt('go').result).stopReason).toBe('end_turn');
    expect(bodyOf(scene)).toContain('Go on exactly where it ended');
    await expectSameAfterLoad(scene);
  });

  it('at that limit again and again ends the turn', async () => {
    const scene = await open([{ events: [text('more '), full], repeat: true }]);
    expect((await scene.session.prompt('go').result).stopReason).toBe('max_tokens');
    expect(scene.server.requests).toHaveLength(4);
  });

  it('with calls in it has none of them run, and the model is told', async () => {
    const scene = await open([{ events: [look, full] }, 'Smaller, then.']);
    const { toolCalls } = await scene.session.prompt('go').result;
    expect(toolCalls.every(({ status }) => status !== 'completed')).toBe(true);
    expect(bodyOf(scene)).toContain('Not run: your answer broke off');
    await expectSameAfterLoad(scene);
  });
});

const WIRES: Readonly<Record<string, (url: string) => Record<string, string>>> = {
  anthropic: (url) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url, PARLEY_MODEL: 'anthropic/m' }),
  'openai-chat': (url) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_MODEL: 'm' }),
  'openai-responses': (url) => ({
    PARLEY_BASE_URL: `${url}/v1`,
    PARLEY_MODEL: 'm',
    PARLEY_WIRE: 'openai-responses',
  }),
  gemini: (url) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url, PARLEY_MODEL: 'gemini/m' }),
};

/** What may happen to an answer, after as much of it as was there already. */
const TROUBLES: readonly ((shown: readonly FakeEvent[]) => Reply)[] = [
  (shown) => ({ events: [...shown, cut] }),
  (shown) => ({ events: [...shown, { type: 'end_early' }] }),
  (shown) => ({ events: [...shown, { type: 'error', kind: 'overloaded' }] }),
  (shown) => ({ events: [...shown, { type: 'error', kind: 'rate_limit' }] }),
  (shown) => ({ events: [text('Half a'), ...shown, { type: 'invalid_json' }] }),
  () => ({ error: 'rate_limit', retryAfterSeconds: 0 }),
  () => ({ error: 'overloaded' }),
  () => ({ error: 'server' }),
];

const BEGINNINGS: readonly (readonly FakeEvent[])[] = [
  [],
  [{ type: 'thought', text: 'Half a thought', signature: 'half' }],
  [text('Half an answer')],
  [text('Half an answer'), { type: 'tool_call', name: 'write_file', input: { path: 'half.txt', content: 'x' } }],
];

describe('trouble at every step', () => {
  it.each(Object.entries(WIRES))('is survived on %s, whatever it is, and nothing happens twice', async (_, envFor) => {
    const { path } = await makeProject({ 'a.txt': 'text' });
    const { server } = await startModel();
    const connection = await startInProcess({
      agent: {
        env: envFor(server.url),
        permissions: { mode: 'bypassPermissions' },
        retry: { baseDelayMs: 1, maxDelayMs: 1 },
      },
    });
    const session = await connection.newSession({ cwd: path });
    const steps: readonly Reply[] = [
      { events: [{ type: 'thought', text: 'Look.', signature: 'sig' }, look] },
      { events: [{ type: 'tool_call', name: 'write_file', input: { path: 'log.txt', content: '+', append: true } }] },
      'Done.',
    ];
    let written = 0;
    for (const [number, trouble] of TROUBLES.entries()) {
      const shown = BEGINNINGS[number % BEGINNINGS.length] ?? [];
      server.add(...steps.flatMap((step) => [trouble(shown), trouble(BEGINNINGS.at(-1) ?? []), step]));
      const { stopReason, toolCalls } = await session.prompt(`go ${number}`).result;
      written += 1;
      expect({ number, stopReason }).toEqual({ number, stopReason: 'end_turn' });
      expect(toolCalls.filter(({ status }) => status === 'completed')).toHaveLength(2);
    }
    expect(server.requests).toHaveLength(TROUBLES.length * 9);
    expect(await readFile(join(path, 'log.txt'), 'utf8')).toBe('+'.repeat(written));
    expect(existsSync(join(path, 'half.txt'))).toBe(false);
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('Half a');
  });
});

describe('an answer with nothing in it', () => {
  it.each<[string, readonly FakeEvent[]]>([
    ['no words', []],
    ['thoughts only', [{ type: 'thought', text: 'Hm.' }]],
    ['thoughts up to its limit', [{ type: 'thought', text: 'Hm.' }, full]],
  ])('(%s) is no end: the model is asked to go on', async (_, events) => {
    const scene = await open([{ events: [look] }, { events }, 'Done.']);
    expect((await scene.session.prompt('go').result).text).toBe('Done.');
    expect(bodyOf(scene)).toContain('Your answer was empty. Go on');
    await expectSameAfterLoad(scene);
  });

  it('again and again ends the turn, and the person is told', async () => {
    const scene = await open([{ events: [], repeat: true }]);
    expect((await scene.session.prompt('go').result).stopReason).toBe('end_turn');
    expect(scene.server.requests).toHaveLength(4);
    expect(noticesIn(scene.session)).toEqual(['The model said nothing']);
  });
});

describe('a model that goes round in circles', () => {
  it('is told so, and stopped when it goes on', async () => {
    const scene = await open([{ events: [look], repeat: true }]);
    expect((await scene.session.prompt('go').result).stopReason).toBe('max_turn_requests');
    expect(scene.server.requests).toHaveLength(10);
    expect(bodyOf(scene, 2)).not.toContain('same calls with the same results');
    expect(bodyOf(scene, 3)).toContain('same calls with the same results');
    expect(noticesIn(scene.session)).toEqual(['The turn was ended: the model went round in circles']);
    await expectSameAfterLoad(await withoutRepeats());
  });

  async function withoutRepeats(): Promise<Scene> {
    const scene = await open([{ events: [look] }, { events: [look] }, { events: [look] }, 'Enough.']);
    await scene.session.prompt('go').result;
    return scene;
  }

  it('is told when it has used up its requests, and so is the person', async () => {
    const scene = await open([{ events: [look], repeat: true }], { maxRequests: 2 });
    expect((await scene.session.prompt('go').result).stopReason).toBe('max_turn_requests');
    expect(noticesIn(scene.session)).toEqual(['The turn was ended after 2 requests to the model']);
  });
});

describe('a model that is silent', () => {
  it('is told of, before its answer and in it, and no more often than the silence doubles', async () => {
    const wait: FakeEvent = { type: 'wait', ms: 2500 };
    const scene = await open([{ events: [wait, text('Well'), wait, text('.')] }], { silenceMs: 400 });
    expect((await scene.session.prompt('go').result).text).toBe('Well.');
    const notices = noticesIn(scene.session);
    expect(notices.length).toBeGreaterThanOrEqual(1);
    // Twice as long each time, so that few are many seconds.
    expect(notices.length).toBeLessThanOrEqual(16);
    expect(notices[0]).toMatch(/^Nothing from the model for \d+ s$/);
  });
});
