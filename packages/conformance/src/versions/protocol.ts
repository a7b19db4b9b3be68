/** A version of the protocol that can be checked. */
export type Protocol = 1 | 2;

export const PROTOCOLS: readonly Protocol[] = [1, 2];

/** Marks a check whose rule is the same in every version. */
export const BOTH: readonly Protocol[] = PROTOCOLS;

/** Marks a check whose rule came with version 2. */
export const SECOND: readonly Protocol[] = [2];

/** The page of the specification for a version, where a check names that of version 1. */
export function pageFor(source: string, protocol: Protocol): string {
  if (protocol === 1) return source;
  return source
    .replaceAll('protocol/v1/prompt-turn', 'protocol/v2/prompt-lifecycle')
    .replaceAll('protocol/v1/', 'protocol/v2/');
}
