// A server of one kind on a free port, which it prints. Each line on its standard input asks for its memory after a collection;
// when the input ends, it tells on stderr what CPU it took since it began to listen.
import { createInterface } from 'node:readline';
import { UPDATES } from '../updates.mjs';

const [kind] = process.argv.slice(2);
const { startServer } = await import(`../kinds/network/${kind}.mjs`);

const server = await startServer({
  async onPrompt({ prompt }, notify) {
    const { count, shape } = JSON.parse(prompt[0].text);
    const updates = UPDATES[shape]();
    for (let n = 0; n < count; n++) {
      const full = notify(updates[n % updates.length]);
      if (full) await full;
    }
  },
});
const start = process.cpuUsage();
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
for await (const _ of createInterface({ input: process.stdin })) {
  for (let n = 0; n < 3; n++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.stdout.write(`${JSON.stringify({ residentBytes: process.memoryUsage.rss() })}\n`);
}
const { user, system } = process.cpuUsage(start);
process.stderr.write(`${JSON.stringify({ cpuUs: user + system })}\n`);
process.exit(0);
