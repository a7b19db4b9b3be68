import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@parley/store/sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agent, type AgentOptions, agent, type Turn } from '../src/index.ts';
import { type AgentProcess, heard, load, startAgent } from './agent-process.ts';
import { CWD, connectRawClient, errorOf, type RawClient, settle, until } from './raw-client.ts';
import { connectV2Client, type V2Client } from './v2/v2-client.ts';

let folder = '';
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-steering-'));
});
afterAll(() => rm(folder, { recursive: true }));

const newStore = () => sqliteStore({ path: join(folder, `sessions-${++files}.db`) });
/** Where the log is, how an agent is told so, and how many random plans it is tried with. */
const PLACES: readonly [string, () => Partial<AgentOptions>, number][] = [
  ['in memory', () => ({}), 20],
  ['on disk', () => ({ store: newStore() }), 4],
];

const STEER = { 'parley/whenBusy': 'steer' };
const QUEUE = { 'parley/whenBusy': 'queue' };

/** Works step by step: each step is one call of `step`, and `end` ends the turn. */
class Steps {
  readonly turns: string[] = [];
  #waiting: ((word: 'step' | 'end') => void) | undefined;

  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  go(word: 'step' | 'end'): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(word);
  }

  /** Goes on until something holds: on disk a message is there when the log has it. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      this.go('step');
      await until(() => this.isWaiting);
    }
  }

  async run(turn: Turn): Promise<void> {
    this.turns.push(turn.text);
    turn.say(`begins ${turn.text}`);
    turn.signal.addEventListener('abort', () => this.go('end'), { once: true });
    while (!turn.signal.aborted) {
      const word = await new Promise<'step' | 'end'>((resolve) => {
        this.#waiting = resolve;
      });
      if (word === 'end') return;
      const taken = turn.takeMessages();
      turn.say(taken.length === 0 ? 'took nothing' : `took ${taken.map(({ text }) => text).join(' and ')}`);
    }
  }
}

function steppingAgent(options: Partial<AgentOptions> = {}): { built: Agent; steps: Steps } {
  const steps = new Steps();
  const built = agent({ name: 'steps', version: '1', steering: true, onDiagnostic: () => {}, ...options });
  return { built: built.onPrompt((turn) => steps.run(turn)), steps };
}

async function begin(built: Agent, steps: Steps, text = 'work'): Promise<[RawClient, string, Promise<unknown>]> {
  const client = connectRawClient(built);
  await client.initialize();
  const { sessionId } = await client.newSession();
  const turn = client.prompt(sessionId, text);
  await until(() => steps.isWaiting);
  return [client, sessionId, turn];
}

/** What was said in a session, in its order: `> ` before the words of the person. */
function conversation(client: RawClient | V2Client): string[] {
  return client.updates().flatMap((update) => {
    const { sessionUpdate, content } = update as { sessionUpdate: string; content?: { text?: string } };
    if (sessionUpdate === 'user_message_chunk') return [`> ${content?.text}`];
    return sessionUpdate === 'agent_message_chunk' ? [content?.text ?? ''] : [];
  });
}

describe.each(PLACES)('a prompt that is sent into a running turn, %s', (_place, options, numRuns) => {
  it('is taken by it between two steps, shown to everybody at that place, and answered with its end', async () => {
    const { built, steps } = steppingAgent(options());
    const [client, sessionId, turn] = await begin(built, steps);
    await using other = connectRawClient(built);
    await other.initialize();
    await other.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    const steered = [client.prompt(sessionId, 'left', STEER)];
    await steps.until(() => client.said().includes('left'));
    steered.push(other.prompt(sessionId, 'right', STEER));
    await steps.until(() => client.said().includes('right'));
    steps.go('end');
    expect(await turn).toEqual({ stopReason: 'end_turn' });
    expect(await Promise.all(steered)).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
    expect(steps.turns).toEqual(['work']);
    for (const each of [client, other]) {
      const said = conversation(each).filter((text) => text !== 'took nothing' && !text.startsWith('took'));
      expect(said.filter((text) => text !== '> work')).toEqual(['begins work', '> left', '> right']);
    }
    // Who sees a message of the person knows that it began no turn.
    const [left] = client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk');
    expect(left).toMatchObject({ content: { type: 'text', text: 'left' }, _meta: { 'parley/steer': true } });
    await using later = connectRawClient(built);
    await later.initialize();
    await later.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(conversation(later).filter((text) => text.startsWith('>'))).toEqual(['> work', '> left', '> right']);
    await client[Symbol.asyncDispose]();
  });

  it('is the next turn when the turn ends without it', async () => {
    const { built, steps } = steppingAgent(options());
    const [client, sessionId, turn] = await begin(built, steps);
    const steered = client.prompt(sessionId, 'steered', STEER);
    steps.go('end');
    expect(await turn).toEqual({ stopReason: 'end_turn' });
    await until(() => steps.isWaiting);
    steps.go('end');
    expect(await steered).toEqual({ stopReason: 'end_turn' });
    expect(steps.turns).toEqual(['work', 'steered']);
    await client[Symbol.asyncDispose]();
  });

  it('can be withdrawn until it is taken, and is asked for once under one name', async () => {
    const { built, steps } = steppingAgent(options());
    const [client, sessionId, turn] = await begin(built, steps);
    const withdrawal = new AbortController();
    const prompt = [{ type: 'text', text: 'never mind' }];
    const gone = errorOf(
      client.request('session/prompt', { sessionId, prompt, _meta: STEER }, { signal: withdrawal.signal }),
    );
    await settle();
    withdrawal.abort(new Error('withdrawn'));
    expect((await gone).message).toBe('withdrawn');
    const named = { ...STEER, 'parley/promptKey': 'once' };
    const answers = [client.prompt(sessionId, 'once', named), client.prompt(sessionId, 'once', named)];
    await steps.until(() => client.said().includes('once'));
    answers.push(client.prompt(sessionId, 'once', named));
    steps.go('step');
    await until(() => steps.isWaiting);
    steps.go('end');
    await turn;
    expect(await Promise.all(answers)).toEqual(Array(3).fill({ stopReason: 'end_turn' }));
    expect(await client.prompt(sessionId, 'once', named)).toEqual({ stopReason: 'end_turn' });
    expect(conversation(client).filter((text) => text.startsWith('>'))).toEqual(['> once']);
    expect(steps.turns).toEqual(['work']);
    await client[Symbol.asyncDispose]();
  });

  it('waits as others do for an agent whose turns take none', async () => {
    const { built, steps } = steppingAgent({ ...options(), steering: false });
    const [client, sessionId, turn] = await begin(built, steps);
    const waiting = client.prompt(sessionId, 'later', STEER);
    steps.go('step');
    await until(() => steps.isWaiting);
    steps.go('end');
    await turn;
    await until(() => steps.isWaiting);
    steps.go('end');
    expect(await waiting).toEqual({ stopReason: 'end_turn' });
    expect(steps.turns).toEqual(['work', 'later']);
    await client[Symbol.asyncDispose]();
  });

  it('is answered in version 2 as soon as it is taken, with the id that everybody sees', async () => {
    const { built, steps } = steppingAgent(options());
    await using client = connectV2Client(built);
    expect(await client.initialize()).toMatchObject({
      capabilities: { session: { prompt: { _meta: { 'parley/steer': true } } } },
    });
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'work');
    await until(() => steps.isWaiting);
    let messageId: string | undefined;
    void client.prompt(sessionId, 'left').then((answer) => {
      messageId = answer.messageId;
    });
    await settle();
    expect(messageId).toBeUndefined();
    while (messageId === undefined) {
      if (steps.isWaiting) steps.go('step');
      await settle();
    }
    expect(client.states()).toEqual(['running']);
    expect(client.updates()).toContainEqual({
      sessionUpdate: 'user_message_chunk',
      messageId,
      content: { type: 'text', text: 'left' },
      _meta: { 'parley/steer': true },
    });
    await until(() => steps.isWaiting);
    steps.go('end');
    await client.untilIdle();
    expect(client.states()).toEqual(['running', 'idle end_turn']);
  });

  it('is neither lost nor said twice, however messages, prompts, cancels and ends follow each other', async () => {
    const actions = fc.constantFrom('steer', 'steer', 'queue', 'cancel', 'withdraw', 'step', 'end', 'pause');
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { minLength: 3, maxLength: 14 }), async (plan) => {
        const { built, steps } = steppingAgent(options());
        const [client, sessionId, turn] = await begin(built, steps, 'm0');
        const answers = new Map<string, Promise<string>>([['m0', turn.then(stopReasonOf)]]);
        let withdrawal = new AbortController();
        for (const [index, action] of plan.entries()) {
          if (action === 'steer' || action === 'queue') {
            const text = `m${index + 1}`;
            withdrawal = new AbortController();
            const params = {
              sessionId,
              prompt: [{ type: 'text', text }],
              _meta: action === 'steer' ? STEER : QUEUE,
            };
            const answer = client.request('session/prompt', params, { signal: withdrawal.signal });
            answers.set(
              text,
              answer.then(stopReasonOf, () => 'withdrawn'),
            );
          } else if (action === 'cancel') client.notify('session/cancel', { sessionId });
          else if (action === 'withdraw') withdrawal.abort(new Error('withdrawn'));
          else if (action === 'pause') await settle();
          else steps.go(action);
        }
        let isOver = false;
        const all = Promise.all([...answers].map(async ([text, answer]) => [text, await answer] as const));
        void all.then(() => {
          isOver = true;
        });
        // A turn whose prompt was withdrawn may still run.
        while (!isOver || steps.isWaiting) {
          steps.go('end');
          await settle();
        }
        await using later = connectRawClient(built);
        await later.initialize();
        await later.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
        const said = conversation(later).flatMap((text) => (text.startsWith('> ') ? [text.slice(2)] : []));
        expect(new Set(said).size).toBe(said.length);
        for (const [text, stopReason] of await all) if (stopReason === 'end_turn') expect(said).toContain(text);
        await client[Symbol.asyncDispose]();
      }),
      { numRuns },
    );
  });
});

function stopReasonOf(answer: unknown): string {
  return (answer as { readonly stopReason: string }).stopReason;
}

describe('prompts that no turn has taken', () => {
  it('run in their order among those that only wait', async () => {
    const { built, steps } = steppingAgent();
    const [client, sessionId, turn] = await begin(built, steps);
    const waiting = [client.prompt(sessionId, 'queued', QUEUE), client.prompt(sessionId, 'steered', STEER)];
    // Answered behind the two prompts, which wait by then.
    await client.request('session/list');
    steps.go('end');
    await turn;
    for (const _ of waiting) {
      await until(() => steps.isWaiting);
      steps.go('end');
    }
    expect(await Promise.all(waiting)).toEqual(Array(2).fill({ stopReason: 'end_turn' }));
    expect(steps.turns).toEqual(['work', 'queued', 'steered']);
    await client[Symbol.asyncDispose]();
  });
});

describe('a prompt for a turn of another process', () => {
  let owner: AgentProcess;
  let other: AgentProcess;
  beforeAll(async () => {
    const path = join(folder, 'two-processes.db');
    [owner, other] = await Promise.all([startAgent(path), startAgent(path)]);
  });
  afterAll(async () => {
    await owner[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  it('reaches it through the log, and is answered with its end', async () => {
    const { sessionId } = await owner.newSession();
    await load(other, sessionId);
    const turn = owner.prompt(sessionId, 'listen');
    await until(() => other.said() === 'listening');
    const steered = other.prompt(sessionId, 'left', STEER);
    await until(() => owner.said().includes('heard left'));
    const stop = other.prompt(sessionId, 'stop', STEER);
    expect(await turn).toEqual({ stopReason: 'end_turn' });
    expect(await steered).toEqual({ stopReason: 'end_turn' });
    expect(await stop).toEqual({ stopReason: 'end_turn' });
    for (const client of [owner, other]) {
      await load(client, sessionId);
      expect(heard(client)).toEqual(['listen', 'listening', 'left', 'heard left', 'stop', 'heard stop']);
    }
  });

  it('is run by the process that sent it when the owner is killed before it took it', async () => {
    const { sessionId } = await owner.newSession();
    await load(other, sessionId);
    const turn = owner.prompt(sessionId, 'wait').catch(() => {});
    await until(() => other.said().endsWith('waiting'));
    const steered = other.prompt(sessionId, 'hello', STEER);
    await settle();
    await owner.kill();
    await turn;
    expect(await steered).toEqual({ stopReason: 'end_turn' });
    expect(other.said()).toContain('You said: hello');
  });
});
