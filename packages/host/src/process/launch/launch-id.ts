import { randomUUID } from 'node:crypto';

/**
 * Set in every spawned process: children inherit it wherever they go, so they are known even when the process itself is
 * gone, in other groups and sessions too. A process that was started by a started one has the ids of both.
 */
export const LAUNCH_ID_VARIABLE = 'PARLEY_LAUNCH_ID';

/** A new launch: its id, and the variables by which its processes are known. */
export interface Launch {
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
}

export function createLaunch(): Launch {
  const id = randomUUID();
  const above = process.env[LAUNCH_ID_VARIABLE];
  return { id, env: { [LAUNCH_ID_VARIABLE]: above ? `${above} ${id}` : id } };
}
