export { type ProcessExit, ProcessExitError, SpawnError } from './errors.ts';
export { signalGroup, stopGroup } from './process-group.ts';
export type { ProcessRecord } from './process-records.ts';
export { ProcessTransport } from './process-transport.ts';
export { type ReapStraysOptions, reapStrays } from './reap-strays.ts';
export { type SpawnProcessOptions, spawnProcess } from './spawn-process.ts';
export { type Noise, SpawnedProcess } from './spawned-process.ts';
export { readStartTime } from './start-time.ts';
export { prepareWatchdog, watchGroup } from './watchdog.ts';
