export { type StreamEnds, type StreamOptions, StreamTransport } from './stream-transport.ts';
