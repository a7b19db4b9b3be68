import { type AgentConnection, type ClientSession, connect, type TranscriptEvent } from '@parley/client';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import { rounds, until, withDeadline } from '../support/waiting.ts';
import { startGateway } from './support/hosted-gateway.ts';
import { WIRES } from './support/wires.ts';

const ROUNDS = rounds(100);
const VIEWERS = 50;
const CWD = '/';

interface Viewer {
  readonly name: string;
  readonly connection: AgentConnection;
  readonly session: ClientSession;
  /** What it read of who has answered, and what the agent said to that, question by question. */
  readonly notices: string[];
  said: string;
}

describe('fifty clients that answer one question at once', () => {
  it(
    'over every wire and in both versions: one wins, the agent hears that one, and everybody reads who it was',
    async () => {
      const store = memoryStore({ isShared: true });
      await using served = await startGateway({ store });
      const barrier = createBarrier();
      const viewers: Viewer[] = [];
      const dials = Object.values(WIRES);
      let sessionId: string | undefined;
      for (let index = 0; index < VIEWERS; index += 1) {
        const dial = dials[index % dials.length] ?? WIRES.WebSocket;
        const name = `viewer ${index}`;
        const connection = await connect(dial(served.port), {
          protocol: index % 2 === 0 ? 2 : 1,
          clientInfo: { name, version: '1' },
          permissions: {
            ask: async () => {
              await barrier.arrive();
              return { optionId: index % 3 === 0 ? 'no' : 'yes' };
            },
          },
        });
        const session = sessionId
          ? await connection.loadSession(sessionId, { cwd: CWD })
          : await connection.newSession({ cwd: CWD });
        sessionId ??= session.id;
        viewers.push(watch({ name, connection, session, notices: [], said: '' }));
      }
      const asker = viewers[0] as Viewer;
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const viewer of viewers) {
          viewer.notices.length = 0;
          viewer.said = '';
        }
        barrier.reset(VIEWERS);
        const { text } = await withDeadline(asker.session.prompt(`ask ${round}`).result, `question ${round}`);
        await until('all have heard the end', () => viewers.every(({ said }) => said === text));
        await until('all others have read who it was', () => countNotices(viewers) >= VIEWERS - 1);
        const [notice = ''] = viewers.flatMap(({ notices }) => notices);
        const [, winner, chosen] = /^Answered by (viewer \d+): (Yes|No)$/.exec(notice) ?? [];
        expect(text).toBe(`answer ${chosen?.toLowerCase()}`);
        const expected = viewers.map(({ name }) => (name === winner ? [] : [notice]));
        expect(viewers.map(({ notices }) => notices)).toEqual(expected);
      }
      expect(await countAnswers(store, asker.session.id)).toEqual({ asked: ROUNDS, answered: ROUNDS });
      expect(served.prompts()).toHaveLength(ROUNDS);
      await Promise.all(viewers.map(({ connection }) => connection.close()));
    },
    60_000 + ROUNDS * 3000,
  );
});

function watch(viewer: Viewer): Viewer {
  viewer.session.on('event', (event: TranscriptEvent) => {
    if (event.type === 'notice') viewer.notices.push(event.title);
    if (event.type === 'message_chunk' && event.speaker === 'agent' && event.content.type === 'text')
      viewer.said += event.content.text;
  });
  return viewer;
}

function countNotices(viewers: readonly Viewer[]): number {
  return viewers.reduce((sum, { notices }) => sum + notices.length, 0);
}

/** Lets everybody go on at the same moment, once so many are there. */
function createBarrier(): { reset(count: number): void; arrive(): Promise<void> } {
  let missing = 0;
  let open = (): void => {};
  let opened = Promise.resolve();
  return {
    reset(count) {
      missing = count;
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
    arrive() {
      missing -= 1;
      if (missing === 0) open();
      return opened;
    },
  };
}

/** How many questions the log has, and how many answers. */
async function countAnswers(store: ReturnType<typeof memoryStore>, sessionId: string) {
  const counts = { asked: 0, answered: 0 };
  for await (const { kind } of store.log('numbering/local').read(sessionId)) {
    if (kind === 'question_asked') counts.asked += 1;
    if (kind === 'question_answered') counts.answered += 1;
  }
  return counts;
}
