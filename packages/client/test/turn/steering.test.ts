import { type Agent, type Turn as AgentTurn, agent } from '@parley/agent';
import { isSteered } from '@parley/session';
import { createMemoryPair } from '@parley/transports/memory';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AgentConnection, type ClientSession, connect, type Turn } from '../../src/index.ts';

/** Takes what was sent into its turns whenever it is told to `step`, and ends them at `end`. */
class Steps {
  #waiting: ((word: 'step' | 'end') => void) | undefined;

  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  go(word: 'step' | 'end'): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(word);
  }

  async step(): Promise<void> {
    this.go('step');
    await until(() => this.isWaiting);
  }

  async run(turn: AgentTurn): Promise<void> {
    turn.say(`begins ${turn.text}.`);
    turn.signal.addEventListener('abort', () => this.go('end'), { once: true });
    while (!turn.signal.aborted) {
      const word = await new Promise<'step' | 'end'>((resolve) => {
        this.#waiting = resolve;
      });
      if (word === 'end') return;
      for (const { text } of turn.takeMessages()) turn.say(`takes ${text}.`);
    }
  }
}

interface Opened {
  readonly served: Agent;
  readonly steps: Steps;
  readonly connection: AgentConnection;
  readonly session: ClientSession;
}

interface OpenOptions {
  readonly protocol: 1 | 2;
  readonly reconnect: boolean;
  readonly steering?: boolean;
}

async function open({ protocol, reconnect, steering = true }: OpenOptions): Promise<Opened> {
  const steps = new Steps();
  const served = agent({ name: 'a', version: '1', steering, onDiagnostic: () => {} });
  served.onPrompt((turn) => steps.run(turn));
  const connection = await dial(served, { protocol, reconnect });
  return { served, steps, connection, session: await connection.newSession({ cwd: '/' }) };
}

async function dial(served: Agent, options: Omit<OpenOptions, 'steering'>): Promise<AgentConnection> {
  const open = async () => {
    const [near, far] = createMemoryPair();
    void served.serve(far);
    return { transport: near };
  };
  const connection = await connect({ name: 'the agent', open }, options);
  onTestFinished(() => connection.close());
  return connection;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** The conversation, in its order: `> ` before the words of the person, `>> ` where they were said into a turn. */
function conversation({ transcript }: ClientSession): string[] {
  return transcript.entries.toArray().flatMap((entry) => {
    if (entry.type !== 'message') return [];
    return [entry.speaker === 'agent' ? entry.text : `${isSteered(entry) ? '>>' : '>'} ${entry.text}`];
  });
}

const CASES = [
  { protocol: 1, reconnect: false },
  { protocol: 1, reconnect: true },
  { protocol: 2, reconnect: false },
  { protocol: 2, reconnect: true },
] as const;

describe.each(CASES)(
  'a prompt that is sent into a running turn, in version $protocol with cursors: $reconnect',
  (how) => {
    it('is in the transcript where the turn took it, and ends with the turn', async () => {
      const { served, steps, connection, session } = await open(how);
      expect(connection.offers.steer).toBe(true);
      const turn = session.prompt('work');
      const early = session.prompt('early', { whenBusy: 'steer' });
      await until(() => steps.isWaiting);
      expect(session.queue).toEqual([early]);
      await until(() => early.state === 'steering');
      while (early.state === 'steering') await steps.step();
      expect(early.state).toBe('running');
      expect(session.queue).toEqual([]);
      // Only with cursors does a client of version 1 hear that somebody else's turn runs.
      const isTold = how.protocol === 2 || how.reconnect;
      const seen = isTold ? await (await dial(served, how)).loadSession(session.id, { cwd: '/' }) : session;
      const late = seen.prompt('late', { whenBusy: 'steer' });
      while (late.state === 'steering') await steps.step();
      const events: string[] = [];
      const reading = (async () => {
        for await (const event of late) if (event.type === 'text') events.push(event.text);
      })();
      steps.go('end');
      expect(await turn.result).toMatchObject({ stopReason: 'end_turn' });
      expect(await early.result).toMatchObject({ stopReason: 'end_turn', text: 'takes early.\n\ntakes late.' });
      expect(await late.result).toMatchObject({ stopReason: 'end_turn', text: 'takes late.' });
      await reading;
      expect(events.join('')).toBe('takes late.');
      const whole = ['> work', 'begins work.', '>> early', 'takes early.', '>> late', 'takes late.'];
      expect(conversation(session)).toEqual(whole);
      expect(conversation(seen)).toEqual(whole);
      expect(session.transcript.turns.length).toBe(1);
      expect(session.state).toBe('idle');
      const again = await (await dial(served, how)).loadSession(session.id, { cwd: '/' });
      expect(conversation(again)).toEqual(whole);
    });

    it('is a turn by itself when the turn ended without it, before prompts that wait here', async () => {
      const { steps, session } = await open(how);
      const turn = session.prompt('work');
      await until(() => steps.isWaiting);
      const queued = session.prompt('queued', { whenBusy: 'queue' });
      const steered = session.prompt('work', { whenBusy: 'steer' });
      expect(session.queue).toEqual([steered, queued]);
      steps.go('end');
      expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'begins work.' });
      for (const next of [steered, queued]) {
        await until(() => steps.isWaiting && next.state === 'running');
        expect(session.turn).toBe(next);
        steps.go('end');
        await next.result;
      }
      expect(await steered.result).toMatchObject({ stopReason: 'end_turn', text: 'begins work.' });
      expect(conversation(session)).toEqual([
        '> work',
        'begins work.',
        '> work',
        'begins work.',
        '> queued',
        'begins queued.',
      ]);
      expect(session.transcript.turns.length).toBe(3);
    });

    it('can be taken back until the turn has it, and comes back when the turn is cancelled', async () => {
      const { steps, session } = await open(how);
      const turn = session.prompt('work');
      await until(() => steps.isWaiting);
      const regretted = session.prompt('regretted', { whenBusy: 'steer' });
      await regretted.cancel();
      expect(await regretted.result).toMatchObject({ stopReason: 'cancelled' });
      const kept = session.prompt('kept', { whenBusy: 'steer' });
      await session.cancel({ keepQueue: true });
      expect(await turn.result).toMatchObject({ stopReason: 'cancelled' });
      await until(() => steps.isWaiting && kept.state === 'running');
      const dropped = session.prompt('dropped', { whenBusy: 'steer' });
      await session.cancel();
      expect(await kept.result).toMatchObject({ stopReason: 'cancelled' });
      expect(await dropped.result).toMatchObject({ stopReason: 'cancelled' });
      expect(conversation(session)).toEqual(['> work', 'begins work.', '> kept', 'begins kept.']);
      expect(session.queue).toEqual([]);
    });

    it('waits for its turn where the agent takes none', async () => {
      const { steps, connection, session } = await open({ ...how, steering: false });
      expect(connection.offers.steer).toBe(false);
      const turn = session.prompt('work');
      const waiting = session.prompt('later', { whenBusy: 'steer' });
      await until(() => steps.isWaiting);
      expect(waiting.state).toBe('queued');
      steps.go('end');
      await turn.result;
      await until(() => steps.isWaiting);
      steps.go('end');
      expect(await waiting.result).toMatchObject({ stopReason: 'end_turn', text: 'begins later.' });
    });

    it('is said once, and every turn ends, however prompts, cancels and ends follow each other', async () => {
      const action = fc.constantFrom('steer', 'steer', 'queue', 'cancel', 'keep', 'withdraw', 'step', 'end', 'pause');
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 16 }), async (plan) => {
          const { served, steps, session } = await open(how);
          const turns = new Map<string, Turn>([['m0', session.prompt('m0')]]);
          for (const [index, each] of plan.entries()) {
            const text = `m${index + 1}`;
            if (each === 'steer' || each === 'queue') turns.set(text, session.prompt(text, { whenBusy: each }));
            else if (each === 'cancel' || each === 'keep') {
              // A second cancel would no longer wait for the agent.
              if (session.state !== 'cancelling') void session.cancel({ keepQueue: each === 'keep' });
            } else if (each === 'withdraw') void session.queue.at(-1)?.cancel();
            else if (each === 'pause') await new Promise((resolve) => setTimeout(resolve, 0));
            else steps.go(each);
          }
          let isOver = false;
          const results = Promise.all([...turns].map(async ([text, { result }]) => [text, (await result).stopReason]));
          results.then(
            () => {
              isOver = true;
            },
            () => {
              isOver = true;
            },
          );
          while (!isOver || steps.isWaiting) {
            steps.go('end');
            await new Promise((resolve) => setTimeout(resolve, 0));
          }
          const later = await (await dial(served, how)).loadSession(session.id, { cwd: '/' });
          const said = conversation(later).flatMap((line) => (line.startsWith('>') ? [line.replace(/^>+ /, '')] : []));
          expect(new Set(said).size).toBe(said.length);
          for (const [text, stopReason] of await results) if (stopReason === 'end_turn') expect(said).toContain(text);
          expect(session.queue).toEqual([]);
          expect(session.turn).toBeUndefined();
        }),
        { numRuns: 12 },
      );
    });
  },
);
