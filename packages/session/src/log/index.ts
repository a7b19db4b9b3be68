export { GrowingChunk } from './growing-chunk.ts';
export {
  findPrompt,
  type NumberedEvent,
  type ReadEventsOptions,
  type ReadOptions,
  readEvents,
  readHistory,
} from './history.ts';
export { type Interruption, type LogEnd, readInterruption, readProgress } from './interruption.ts';
export { isFinal, LOG_BACKOFF } from './log-fault.ts';
export { isExpired, readKept } from './read-kept.ts';
export { reserveLog } from './reserve-log.ts';
export { SharedLog, type SharedLogOptions } from './shared-log.ts';
export { type KeptTurns, type TrimmedTurns, type TrimTurnsOptions, trimTurns } from './trim-turns.ts';
export { planAtEnd } from './unfinished.ts';
