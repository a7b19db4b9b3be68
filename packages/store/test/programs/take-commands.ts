import { createInterface } from 'node:readline';
import { StoreError, sqliteStore } from '../../src/index.ts';
import type { Answer } from '../store-process.ts';

/**
 * A store in a process of its own. Each line on stdin is a command, answered by one line on stdout:
 * `create <session>`, `append <session> <text>`, `burst <session> <count>`, `head <session>`, `acquire <session>`,
 * `chdir <folder>`, and `last <session> <text>`, which ends the process as soon as the event is acknowledged.
 * Usage: take-commands <path>
 */
// A write beyond the file size limit shall fail as on a faulty disk, and not end the process.
process.on('SIGXFSZ', () => {});

const [path = ''] = process.argv.slice(2);
const log = sqliteStore({ path }).log();

const commands: Record<string, (sessionId: string, argument: string) => Promise<unknown>> = {
  create: (id) => log.create({ id, cwd: '/proj' }),
  append: async (sessionId, body) => (await log.append(sessionId, [{ kind: 'text', body }])).last,
  burst: async (sessionId, count) => {
    const bodies = Array.from({ length: Number(count) }, (_, index) => `${process.pid}.${index}`);
    await Promise.all(bodies.map((body) => log.append(sessionId, [{ kind: 'text', body }])));
    return bodies;
  },
  head: (sessionId) => log.head(sessionId),
  chdir: async (folder) => process.chdir(folder),
  last: async (sessionId, body) => {
    const { last } = await log.append(sessionId, [{ kind: 'text', body }]);
    void log.append(sessionId, [{ kind: 'text', body: 'not acknowledged' }]);
    process.stdout.write(`${JSON.stringify({ result: last })}\n`);
    process.exit(3);
  },
  acquire: async (sessionId) => (await log.acquire(sessionId)).epoch,
};

const answer = (value: Answer): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name = '', sessionId = '', argument = ''] = line.split(' ');
  try {
    answer({ result: await commands[name]?.(sessionId, argument) });
  } catch (error) {
    answer({ code: error instanceof StoreError ? error.code : String(error) });
  }
}
