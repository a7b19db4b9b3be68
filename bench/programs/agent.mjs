// An agent of one kind. A prompt's text says how many updates of which shape to send before answering.
import { UPDATES } from '../updates.mjs';

const [kind] = process.argv.slice(2);
const { startAgent } = await import(`../kinds/${kind}.mjs`);

let cpuUs = 0;
const closed = startAgent({
  async onPrompt({ prompt }, notify) {
    const { count, shape } = JSON.parse(prompt[0].text);
    const updates = UPDATES[shape]();
    const before = process.cpuUsage();
    for (let n = 0; n < count; n++) {
      const full = notify(updates[n % updates.length]);
      if (full) await full;
    }
    const { user, system } = process.cpuUsage(before);
    cpuUs += user + system;
  },
});
const start = process.cpuUsage();
process.on('exit', () => {
  const { user, system } = process.cpuUsage(start);
  process.stderr.write(`${JSON.stringify({ promptCpuUs: cpuUs, cpuUs: user + system })}\n`);
});
await closed;
process.exit(0);
