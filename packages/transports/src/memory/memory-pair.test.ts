import { transportCases } from '@parley/testing/transport-cases';
import { createMemoryPair } from './memory-pair.ts';

transportCases('a memory pair', () => {
  const [near, far] = createMemoryPair();
  return { near, far };
});
