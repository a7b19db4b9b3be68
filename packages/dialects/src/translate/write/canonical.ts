import { type DialectWriter, same } from './writer.ts';

/** The schema's own words: nothing to do. */
export const canonical: DialectWriter = {
  params: new Map(),
  results: new Map(),
  update: same,
  hasPlainChunks: true,
  lacks: () => false,
};
