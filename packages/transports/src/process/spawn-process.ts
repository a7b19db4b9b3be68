import { type SpawnChildOptions, spawnChild } from '@parley/host/process';
import { ProcessTransport, type ProcessTransportOptions } from './process-transport.ts';

export interface SpawnProcessOptions extends SpawnChildOptions, ProcessTransportOptions {}

/**
 * Starts a command in a process group of its own and gives the wire to it. Throws `SpawnError` if it cannot be started.
 * Neither closing the wire, nor a crash on either side, nor `kill -9` of this process leaves a process behind, unless it
 * has left its group and has an environment of its own making.
 */
export async function spawnProcess(options: SpawnProcessOptions): Promise<ProcessTransport> {
  const spawned = await spawnChild(options);
  const transport = new ProcessTransport(spawned, { closeTimeoutMs: 1000, ...options });
  await spawned.recorded;
  return transport;
}
