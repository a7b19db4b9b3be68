export { type OwnStdio, type OwnStdioOptions, ownStdio } from './own-stdio.ts';
export { type StreamEnds, type StreamOptions, StreamTransport } from './stream-transport.ts';
