import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
})}\n`;

/** How often each program is started for one figure. */
const STARTS = 12;

/**
 * How much longer `program` takes from spawn to `initialize` answered than `bare` does, in milliseconds. The two take
 * turns, and the best of each counts: a machine only ever adds to a start.
 */
export async function startMsOver(bare, program) {
  const times = { [bare]: [], [program]: [] };
  for (let n = 0; n < STARTS; n++) {
    for (const each of [bare, program])
      times[each].push(await whileAnswered(each, async ({ answeredMs }) => answeredMs));
  }
  return Math.min(...times[program]) - Math.min(...times[bare]);
}

/** How many megabytes more `program` keeps resident than `bare`, at rest after `initialize`. */
export async function residentMbOver(bare, program) {
  const [less, more] = [await residentMb(bare), await residentMb(program)];
  return more - less;
}

function residentMb(program) {
  return whileAnswered(program, async ({ pid }) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  });
}

async function whileAnswered(program, use) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(INITIALIZE);
  await once(child.stdout, 'data');
  const result = await use({ pid: child.pid, answeredMs: performance.now() - startedAt });
  child.stdin.end();
  await once(child, 'close');
  return result;
}
