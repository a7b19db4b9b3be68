import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
})}\n`;

/** Megabytes that `program` keeps resident beyond `bare`, at rest after `initialize`. */
export async function residentMbOver(bare, program) {
  const [less, more] = [await residentMb(bare), await residentMb(program)];
  return more - less;
}

async function residentMb(program) {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(INITIALIZE);
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  child.stdin.end();
  await once(child, 'close');
  return resident;
}
