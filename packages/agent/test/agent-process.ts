import { buildStoreProgram } from '@parley/testing/build-program';
import { spawnProcess } from '@parley/transports/process';
import { CWD, createRawClient, type RawClient } from './raw-client.ts';

/** The program of the shared agent: sessions in the file that its first argument names. */
export async function buildSharedAgent(): Promise<string> {
  return (await buildStoreProgram(new URL('./shared-agent.ts', import.meta.url))).path;
}

export interface AgentProcess extends RawClient {
  readonly pid: number;
  /** Ends it without a word. */
  kill(): Promise<void>;
}

export interface StartOptions {
  /** What starts Node, where that is not Node itself. */
  readonly command?: readonly string[];
  readonly leaseMs?: number;
  /** `_meta` of `initialize`. */
  readonly meta?: Record<string, unknown>;
}

/** The shared agent in a process of its own, with its client here; all that name one file share its sessions. */
export async function startAgent(path: string, options: StartOptions = {}): Promise<AgentProcess> {
  const { command: before = [], leaseMs } = options;
  const node = [process.execPath, await buildSharedAgent(), path];
  const [command = '', ...args] = [...before, ...node, ...(leaseMs === undefined ? [] : [String(leaseMs)])];
  const transport = await spawnProcess({ command, args, recordsDir: false });
  const client = createRawClient(transport, transport.process.exited);
  await client.initialize({}, options.meta);
  const kill = async (): Promise<void> => {
    process.kill(transport.process.pid, 'SIGKILL');
    await transport.process.exited;
  };
  return Object.assign(client, { kill, pid: transport.process.pid });
}

/** All that was said, by the person and by the agent, in the order in which the client heard it. */
export function heard(client: RawClient): string[] {
  return client
    .updates()
    .flatMap((update) =>
      'content' in update && update.content && 'text' in update.content ? [update.content.text] : [],
    );
}

/** The last status of a tool call that the client heard of. */
export function statusOf(client: RawClient, id: string): string | undefined {
  const updates = client.updates().filter((update) => 'toolCallId' in update && update.toolCallId === id);
  return updates.flatMap((update) => ('status' in update && update.status ? [update.status] : [])).at(-1);
}

/** Loads a session anew; only what the client hears from now on counts. */
export async function load(client: RawClient, sessionId: string): Promise<Record<string, unknown>> {
  client.received.length = 0;
  return client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
}
