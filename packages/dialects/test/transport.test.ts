import { withDialect } from '@parley/dialects';
import { transportCases } from '@parley/testing/transport-cases';
import { createMemoryPair } from '@parley/transports/memory';

for (const dialect of ['auto', 'elephant', 'pharo'] as const) {
  transportCases(`a transport with the dialect ${dialect}`, () => {
    const [near, far] = createMemoryPair();
    return { near: withDialect(near, dialect), far: withDialect(far, dialect) };
  });
}
