import { type ClientSession, connect, type TranscriptEvent } from '@parley/client';
import { createRandom } from '@parley/testing/mutations';
import { describe, expect, it } from 'vitest';
import { rounds, until, withDeadline } from '../support/waiting.ts';
import { startBreakingProxy } from './support/breaking-proxy.ts';
import { startGateway } from './support/hosted-gateway.ts';
import { ALERT_LIMITS, ALERT_WIRES, dialByPost } from './support/wires.ts';

const CUTS = rounds(200);
const CWD = '/';
const TIMEOUT_MS = 60_000 + CUTS * 5000;
const RECONNECT = {
  reconnect: true,
  retry: { maxAttempts: 30, firstPauseMs: 1 },
  random: () => 0,
  permissions: { ask: () => ({ optionId: 'yes' }) },
} as const;

const newSeed = (): number => Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000);

describe('a client of a hosted agent, whose connection breaks again and again', () => {
  it.concurrent.each(Object.entries(ALERT_WIRES))(
    'loses nothing, hears nothing twice and gets the end of every prompt over %s',
    async (_, dial) => {
      const random = createRandom(newSeed());
      await using served = await startGateway({}, ALERT_LIMITS);
      await using proxy = await startBreakingProxy({ port: served.port, random, breaks: CUTS });
      await using connection = await connect(dial(proxy.port), RECONNECT);
      const session = await connection.newSession({ cwd: CWD });
      const heard = collectNumbers(session);
      const sent: string[] = [];
      proxy.begin();
      while (proxy.broken < CUTS) {
        const count = 5 + random.below(60);
        const isQuestion = sent.length % 7 === 6;
        const text = isQuestion ? `ask ${sent.length}` : `count ${count} ${sent.length}`;
        sent.push(text);
        await until(
          () => `the session can be used after ${proxy.broken} cuts, it is ${session.state}`,
          () => session.state === 'idle',
        );
        const { stopReason } = await withDeadline(
          session.prompt(text).result,
          `prompt ${text} after ${proxy.broken} cuts`,
        );
        expect({ text, stopReason, heard: heard.take() }).toEqual({
          text,
          stopReason: 'end_turn',
          heard: isQuestion ? 'answer yes' : numbersTo(count),
        });
      }
      expect(served.prompts().map(({ text }) => text)).toEqual(sent);
      // What another client is told that loads the session now is the same.
      await using other = await connect(dial(served.port));
      await using loaded = await other.loadSession(session.id, { cwd: CWD });
      await until('the end is told', () => said(loaded) === said(session));
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'gets the answer to every prompt, which the agent sees once, over plain POST',
    async () => {
      const random = createRandom(newSeed());
      await using served = await startGateway({}, ALERT_LIMITS);
      const breaks = { breaks: CUTS, maxBytes: 2500, kinds: ['cut', 'reset'] } as const;
      await using proxy = await startBreakingProxy({ port: served.port, random, ...breaks });
      await using connection = await connect(dialByPost(proxy.port), RECONNECT);
      const session = await connection.newSession({ cwd: CWD });
      const sent: string[] = [];
      proxy.begin();
      while (proxy.broken < CUTS) {
        const text = `count ${1 + random.below(20)} ${sent.length}`;
        sent.push(text);
        await until(
          () => `the session can be used after ${proxy.broken} cuts, it is ${session.state}`,
          () => session.state === 'idle',
        );
        const { stopReason } = await withDeadline(
          session.prompt(text).result,
          `prompt ${text} after ${proxy.broken} cuts`,
        );
        expect({ text, stopReason }).toEqual({ text, stopReason: 'end_turn' });
      }
      expect(served.prompts().map(({ text }) => text)).toEqual(sent);
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'has each prompt run once that three connections send under one name',
    async () => {
      const random = createRandom(newSeed());
      await using served = await startGateway({}, ALERT_LIMITS);
      const breaks = { breaks: CUTS, kinds: ['cut', 'reset'] } as const;
      await using proxy = await startBreakingProxy({ port: served.port, random, ...breaks });
      const dials = Object.values(ALERT_WIRES);
      const connections = await Promise.all(dials.map((dial) => connect(dial(proxy.port), RECONNECT)));
      const [first, ...others] = connections;
      const session = await first?.newSession({ cwd: CWD });
      if (!session) throw new Error('There is no wire.');
      const sessions = [
        session,
        ...(await Promise.all(others.map((each) => each.loadSession(session.id, { cwd: CWD })))),
      ];
      const sent: string[] = [];
      proxy.begin();
      while (proxy.broken < CUTS) {
        const count = 1 + random.below(20);
        const text = `count ${count} ${sent.length}`;
        const meta = { 'parley/promptKey': `key-${sent.length}` };
        sent.push(text);
        await until('all can be used', () => sessions.every(({ state }) => state === 'idle'));
        const turns = sessions.map((each) => each.prompt(text, { meta }));
        const results = await withDeadline(Promise.all(turns.map(({ result }) => result)), `prompt ${text}`);
        expect(results.map(({ stopReason }) => stopReason)).toEqual(['end_turn', 'end_turn', 'end_turn']);
      }
      expect(served.prompts().map(({ text }) => text)).toEqual(sent);
      await Promise.all(connections.map((each) => each.close()));
    },
    TIMEOUT_MS,
  );
});

/** The numbers that the agent says, as each arrives. */
function collectNumbers(session: ClientSession): { take(): string } {
  let text = '';
  session.on('event', (event: TranscriptEvent) => {
    if (event.type === 'message_chunk' && event.speaker === 'agent' && event.content.type === 'text')
      text += event.content.text;
  });
  return {
    take() {
      const taken = text;
      text = '';
      return taken;
    },
  };
}

function numbersTo(count: number): string {
  return Array.from({ length: count }, (_, index) => ` ${index}`).join('');
}

function said({ transcript }: ClientSession): string {
  return transcript.entries
    .toArray()
    .map((entry) => (entry.type === 'message' ? `${entry.speaker}: ${entry.text}` : entry.type))
    .join('\n');
}
