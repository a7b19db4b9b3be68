import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentConnection, type ClientSession, connect, type Transcript } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import { buildStoreProgram } from '@parley/testing/build-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const AGENT = new URL('fixtures/counting-agent.ts', import.meta.url);
const CWD = tmpdir();
/** Updates after which the agent is killed: at the beginning of a turn, and in the midst of it. */
const KILLS = [
  [1, 40],
  [3, 150],
  [12, 5],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-reconnect-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(path: string): Promise<AgentConnection> {
  const args = [(await buildStoreProgram(AGENT)).path, path];
  return connect(spawnAgent(process.execPath, args, { recordsDir: false }), { reconnect: true });
}

/** What a person sees of a conversation. */
function shown({ entries }: Transcript): unknown[] {
  return entries.toArray().map((entry) => {
    if (entry.type === 'message') return `${entry.speaker}: ${entry.text}`;
    if (entry.type === 'thought') return `thought: ${entry.text}`;
    if (entry.type === 'tool_call') return `${entry.title}: ${entry.status} ${JSON.stringify(entry.content)}`;
    return entry.type;
  });
}

/** Prompts, and kills the agent's process when it has said so much; resolves when the session can be used again. */
async function killAfter(updates: number, session: ClientSession): Promise<void> {
  const turn = session.prompt(`count ${updates}`);
  const ended = turn.result.catch(() => undefined);
  let heard = 0;
  let said = '';
  for await (const event of turn) {
    if (event.type === 'text') said += event.text;
    heard += 1;
    const pid = /pid (\d+);/.exec(said)?.[1];
    if (heard < updates || pid === undefined) continue;
    process.kill(Number(pid), 'SIGKILL');
    break;
  }
  await ended;
  await new Promise<void>((resolve) => {
    const check = (): void => void (session.state === 'idle' && resolve());
    session.on('change', check);
    check();
  });
}

/** What a client that loads the session now is told. */
async function loadElsewhere(other: AgentConnection, sessionId: string): Promise<unknown[]> {
  await using loaded = await other.loadSession(sessionId, { cwd: CWD });
  return shown(loaded.transcript);
}

describe('an agent that is killed in the midst of a turn, again and again', () => {
  it.each(KILLS)(
    'has told, after each reconnect, all that a load tells, and nothing twice: kills after %i and %i updates',
    async (...kills) => {
      const path = join(folder, `${kills.join('-')}.db`);
      await using other = await start(path);
      await using connection = await start(path);
      const session = await connection.newSession({ cwd: CWD });
      for (const updates of kills) {
        await killAfter(updates, session);
        expect(shown(session.transcript)).toEqual(await loadElsewhere(other, session.id));
      }
      expect((await session.prompt('hello').result).text).toBe('hello');
      expect(shown(session.transcript)).toEqual(await loadElsewhere(other, session.id));
    },
    180_000,
  );
});
