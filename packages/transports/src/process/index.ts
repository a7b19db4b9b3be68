export type { Noise, ProcessTransport } from './process-transport.ts';
export { type SpawnProcessOptions, spawnProcess } from './process-transport.ts';
