import { createRandom } from '../mutations/index.ts';
import type { Fault } from './fault.ts';

export interface RandomFaultsOptions {
  readonly seed: number;
  /** So many connections are broken, the first ones; the others go through unharmed. */
  readonly count: number;
  /** Each breaks after up to so many bytes, most of them early. */
  readonly maxBytes: number;
}

/** A plan that breaks connections, by cut or by reset, anywhere in what either side says. The same seed breaks them alike. */
export function randomFaults({ seed, count, maxBytes }: RandomFaultsOptions): (index: number) => readonly Fault[] {
  return (index) => {
    if (index >= count) return [];
    const random = createRandom(seed * 7919 + index);
    const kind = random.pick(['cut', 'reset'] as const);
    const way = random.pick(['to_client', 'to_client', 'to_server'] as const);
    const afterBytes = 1 + Math.floor(random.below(maxBytes) * (random.below(1000) / 1000));
    return [{ kind, way, afterBytes }];
  };
}
