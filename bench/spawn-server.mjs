import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('programs/network-server.mjs', import.meta.url));

/** A server of one kind in a process of its own. */
export async function spawnServer(kind) {
  const child = spawn(process.execPath, ['--expose-gc', PROGRAM, kind], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`The server of ${kind} is gone: ${stderr}`);
    return JSON.parse(value);
  };
  const { port } = await read();
  return {
    port,
    async residentBytes() {
      child.stdin.write('memory\n');
      return (await read()).residentBytes;
    },
    /** Ends it; resolves with the CPU that it took. */
    async stop() {
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
      return JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}').cpuUs;
    },
  };
}
