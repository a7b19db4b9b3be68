export { type Interruption, type InterruptionOptions, watchInterruption } from '@parley/host/command-line';
