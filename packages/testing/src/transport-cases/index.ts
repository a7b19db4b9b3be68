export { type ByteWire, byteTransportCases } from './byte-transport-cases.ts';
export { JSON_CASES, type JsonCase } from './json-cases.ts';
export { NAUGHTY_STRINGS } from './naughty-strings.ts';
export type { OpenPair, PairLimits, TransportPair } from './open-pair.ts';
export { type Delivery, Recorder } from './recorder.ts';
export { textTransportCases } from './text-transport-cases.ts';
export { transportCases } from './transport-cases.ts';
