// A client of one kind that reads prepared lines from its standard input: how much does reading alone cost?
import { PassThrough } from 'node:stream';

const [kind, expectedText, maxBytesText] = process.argv.slice(2);
const expected = Number(expectedText);
const { startClient } = await import(`../kinds/${kind}.mjs`);

let updates = 0;
let done;
const finished = new Promise((resolve) => {
  done = resolve;
});
const before = process.cpuUsage();
startClient({
  readable: process.stdin,
  writable: new PassThrough(),
  maxMessageBytes: Number(maxBytesText),
  onUpdate: () => {
    if (++updates === expected) done();
  },
});
process.stdin.on('end', () => setTimeout(done, 200));
await finished;
const { user, system } = process.cpuUsage(before);
if (updates !== expected) throw new Error(`${kind}: ${updates} of ${expected} messages arrived`);
const { maxRSS } = process.resourceUsage();
process.stdout.write(`${JSON.stringify({ cpuUs: (user + system) / expected, peakKb: maxRSS })}\n`);
process.exit(0);
