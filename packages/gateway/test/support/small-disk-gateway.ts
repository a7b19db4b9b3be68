// A gateway in its current folder, which is a small disk: its store, its audit and its log are there. Routes fill the disk and free it.
import { rmSync, writeFileSync } from 'node:fs';
import { agent } from '@parley/agent';
import { sqliteStore } from '@parley/store/sqlite';
import { createMemoryPair } from '@parley/transports/memory';
import { gateway } from '../../src/index.ts';
import { auditLog, metrics, operationRoutes } from '../../src/operations/index.ts';

const numbers = metrics();
const audit = auditLog({ path: 'audit.jsonl', onFault: numbers.onEvent });
const source = {
  name: 'long',
  async open() {
    const [near, far] = createMemoryPair();
    const long = agent({ name: 'long', version: '1' }).onPrompt(async (turn) => {
      for (let n = 0; n < 40; n += 1) await turn.say('x'.repeat(20_000));
    });
    void long.serve(far);
    return { transport: near };
  },
};
const server = gateway({
  agents: { long: source },
  store: sqliteStore({ path: 'sessions.db' }),
  onEvent: (event) => {
    numbers.onEvent(event);
    audit.onEvent(event);
  },
});
const ROOM = 256 * 1024;
const port = await server.listen({
  token: 'open-sesame',
  routes: {
    ...operationRoutes({ gateway: server, metrics: numbers }),
    '/fill': {
      access: 'anyone',
      handle: () => {
        // Ever smaller, until nothing more fits.
        for (let size = ROOM; size >= 1; size = Math.floor(size / 2))
          for (let n = 0; n < 100; n += 1)
            try {
              writeFileSync('ballast', 'x'.repeat(size), { flag: 'a' });
            } catch {
              break;
            }
        return { status: 204 };
      },
    },
    '/free': {
      access: 'anyone',
      handle: () => {
        rmSync('ballast', { force: true });
        return { status: 204 };
      },
    },
  },
});
process.stdout.write(JSON.stringify({ url: port.url }));
process.stdin.resume().once('end', () => process.exit(0));
