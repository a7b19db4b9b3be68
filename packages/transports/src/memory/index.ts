export { createMemoryPair, type MemoryPairOptions } from './memory-pair.ts';
