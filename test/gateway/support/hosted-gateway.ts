import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnAgent } from '@parley/client/node';
import { type GatewayOptions, gateway } from '@parley/gateway';
import { memoryStore } from '@parley/store/memory';
import type { ListenLimits } from '@parley/transports/listen';
import { TOKEN } from './wires.ts';

/** The program of the agent that is hosted; see there what it does for which prompt. */
export const NUMBERING_AGENT: string = fileURLToPath(new URL('../../fixtures/numbering-agent.mjs', import.meta.url));

/** A folder of one test, with the file in which the agent writes down its prompts. */
export interface Records extends Disposable {
  readonly folder: string;
  readonly path: string;
  /** The prompts that the agent has been given, in order, whichever process it was. */
  prompts(): { readonly sessionId: string; readonly text: string; readonly pid: number }[];
}

export function createRecords(): Records {
  const folder = mkdtempSync(join(tmpdir(), 'parley-proof-'));
  const path = join(folder, 'prompts.jsonl');
  return {
    folder,
    path,
    prompts: () =>
      existsSync(path)
        ? readFileSync(path, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line))
        : [],
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A gateway on a port of this process, with the numbering agent as a process behind it. */
export async function startGateway(options: Partial<GatewayOptions> = {}, limits: Partial<ListenLimits> = {}) {
  const records = createRecords();
  const agents = { numbering: spawnAgent(process.execPath, [NUMBERING_AGENT, records.path], { recordsDir: false }) };
  const server = gateway({ agents, store: memoryStore({ isShared: true }), onDiagnostic: () => {}, ...options });
  const listener = await server.listen({ port: 0, token: TOKEN, limits });
  return {
    server,
    listener,
    port: listener.port,
    prompts: records.prompts,
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMs: 100 });
      await server.close();
      records[Symbol.dispose]();
    },
  };
}
