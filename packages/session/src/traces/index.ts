export { isRecord } from '@parley/jsonrpc/internal';
export { type ChunkRuns, createChunkRuns } from './chunk-runs.ts';
export {
  isChunk,
  kindOf,
  type MessageKind,
  sessionOf,
  summarize,
  updateVariant,
  type WaitsOn,
  waitsOn,
} from './describe-message.ts';
export type { MessageJudge, Verdict } from './judge-message.ts';
export { createPairing, type Pairing } from './pairing.ts';
export { countRedacted, REDACTED, type RedactOptions, redact, redactText, withoutSecrets } from './redact.ts';
export { type SpecificationSection, specificationOf } from './specification.ts';
export {
  type Direction,
  formatEntry,
  type MessageEntry,
  type NoiseEntry,
  parseEntry,
  readEntry,
  type StderrEntry,
  type TracedMessage,
  type TraceEntry,
  type TracePlace,
} from './trace-entry.ts';
