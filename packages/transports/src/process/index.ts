export type { Noise, ProcessTransport } from './process-transport.ts';
export { type SpawnProcessOptions, spawnProcess } from './spawn-process.ts';
