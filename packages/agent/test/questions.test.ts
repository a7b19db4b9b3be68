import { describe, expect, it } from 'vitest';
import type { AskPermissionOptions } from '../src/index.ts';
import { ALL_CAPABILITIES, CWD, connectRawClient, errorOf, type RawClient, testAgent, until } from './raw-client.ts';

const OPTIONS = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'no', name: 'No', kind: 'reject_once' as const },
];

/** Two clients of one session. The first asks the agent to ask; `answers` are what each of them does with the question. */
async function twoViewers(ask: AskPermissionOptions = {}): Promise<{
  first: RawClient;
  second: RawClient;
  sessionId: string;
  decisions: unknown[];
}> {
  const { built } = testAgent();
  const decisions: unknown[] = [];
  built.onPrompt(async (turn) => {
    const call = turn.toolCall({ title: 'npm publish', kind: 'execute' });
    decisions.push(await turn.askPermission(call, { options: OPTIONS, ...ask }));
    call.complete();
  });
  const first = connectRawClient(built);
  const second = connectRawClient(built);
  await first.initialize(ALL_CAPABILITIES);
  await second.initialize(ALL_CAPABILITIES);
  const { sessionId } = await first.newSession();
  await second.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  return { first, second, sessionId, decisions };
}

function select(optionId: string): unknown {
  return { outcome: { outcome: 'selected', optionId } };
}

describe('a question of a session that two clients have open', () => {
  it('is put to both, and answered by exactly one of them, a hundred times', async () => {
    const { first, second, sessionId, decisions } = await twoViewers();
    let winners = 0;
    const answer = (client: RawClient, optionId: string): void => {
      client.connection.onRequest('session/request_permission', async ({ signal }) => {
        for (let left = Math.floor(Math.random() * 4); left > 0; left--) await Promise.resolve();
        if (signal.aborted) throw signal.reason;
        winners += 1;
        return select(optionId);
      });
    };
    answer(first, 'yes');
    answer(second, 'no');
    for (let round = 0; round < 100; round++) {
      expect(await first.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
      expect(decisions).toHaveLength(round + 1);
    }
    // Both may have answered in the same moment; the agent took one answer each time.
    expect(winners).toBeGreaterThanOrEqual(100);
    expect(decisions.every((each) => ['yes', 'no'].includes((each as { optionId: string }).optionId))).toBe(true);
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });

  it('is withdrawn from the other, who is told by whom it was answered', async () => {
    const { first, second, sessionId, decisions } = await twoViewers();
    let withdrawn = false;
    first.connection.onRequest(
      'session/request_permission',
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            withdrawn = true;
            reject(signal.reason);
          });
        }),
    );
    second.connection.onRequest('session/request_permission', () => select('yes'));
    expect(await first.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
    expect(decisions).toEqual([expect.objectContaining({ allowed: true, optionId: 'yes' })]);
    await until(() => withdrawn);
    expect(first.updates()).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'notice', title: 'Answered by test: Yes' }),
    );
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });

  it('waits for the other when one of them does not choose, or fails', async () => {
    const { first, second, sessionId, decisions } = await twoViewers();
    first.connection.onRequest('session/request_permission', () => ({ outcome: { outcome: 'cancelled' } }));
    let choose: (answer: unknown) => void = () => {};
    second.connection.onRequest(
      'session/request_permission',
      () =>
        new Promise((resolve) => {
          choose = resolve;
        }),
    );
    const turn = first.prompt(sessionId, 'go');
    await until(() =>
      first.messages.some((message) => (message as { method?: string }).method?.includes('permission')),
    );
    expect(decisions).toEqual([]);
    choose(select('no'));
    await turn;
    expect(decisions).toEqual([expect.objectContaining({ allowed: false, optionId: 'no' })]);
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });

  it('is withdrawn when its turn is cancelled', async () => {
    const { first, second, sessionId } = await twoViewers();
    let asked = 0;
    let withdrawn = 0;
    for (const client of [first, second]) {
      client.connection.onRequest('session/request_permission', ({ signal }) => {
        asked += 1;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            withdrawn += 1;
            reject(signal.reason);
          });
        });
      });
    }
    const turn = first.prompt(sessionId, 'go');
    await until(() => asked === 2);
    second.notify('session/cancel', { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    await until(() => withdrawn === 2);
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });

  it('means no when its time is up, and is then withdrawn', async () => {
    const { first, second, sessionId, decisions } = await twoViewers({ timeoutMs: 20 });
    for (const client of [first, second])
      client.connection.onRequest('session/request_permission', () => new Promise(() => {}));
    expect(await first.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
    expect(decisions).toEqual([{ allowed: false, asked: true, because: 'Nobody answered within 0.02 s.' }]);
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });
});

describe('a form', () => {
  it('is put to every client that can show one, and the first answer counts', async () => {
    const { built } = testAgent();
    let answer: unknown;
    built.onPrompt(async (turn) => {
      answer = await turn.client.elicit({ message: 'Which?', form: { properties: { name: { type: 'string' } } } });
    });
    await using first = connectRawClient(built);
    await using second = connectRawClient(built);
    await using third = connectRawClient(built);
    await first.initialize(ALL_CAPABILITIES);
    await second.initialize(ALL_CAPABILITIES);
    await third.initialize();
    const { sessionId } = await first.newSession();
    for (const client of [second, third]) await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    first.connection.onRequest('elicitation/create', () => new Promise(() => {}));
    second.connection.onRequest('elicitation/create', () => ({ action: 'accept', content: { name: 'main' } }));
    await first.prompt(sessionId, 'go');
    expect(answer).toEqual({ action: 'accept', content: { name: 'main' } });
    expect(third.messages.some((message) => (message as { method?: string }).method === 'elicitation/create')).toBe(
      false,
    );
  });

  it('is refused before anything is sent where the client that asked for the turn cannot show one', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      await turn.client.elicit({ message: 'Which?', form: { properties: {} } });
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    expect(await errorOf(client.prompt(sessionId, 'go'))).toMatchObject({ data: { reason: 'capability_missing' } });
  });
});
