/** A gateway in a process of its own: prints its port; each line on its standard input asks for its memory. */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { spawnAgent } from '@parley/client/node';
import { memoryStore } from '@parley/store/memory';
import { sqliteStore } from '@parley/store/sqlite';
import { gateway } from '../src/index.ts';

const [path] = process.argv.slice(2);
const program = fileURLToPath(new URL('bench-agent.ts', import.meta.url));
await using server = gateway({
  store: path ? sqliteStore({ path }) : memoryStore(),
  agents: { bench: spawnAgent(process.execPath, ['--import', 'tsx', '--conditions=source', program]) },
});
await using port = await server.listen({ port: 0, authorize: 'anyone' });
console.log(JSON.stringify({ port: port.port }));
for await (const _ of createInterface({ input: process.stdin })) {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  console.log(JSON.stringify({ residentMiB: process.memoryUsage.rss() / 1024 / 1024 }));
}
