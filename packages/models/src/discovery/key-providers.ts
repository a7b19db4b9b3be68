import { PROVIDERS } from './providers.ts';

/** A provider that a key alone gives access to. */
export interface KeyProvider {
  readonly provider: string;
  /** For people. */
  readonly label: string;
  /** The environment variables that may hold its key or a token. */
  readonly variables: readonly string[];
}

export const KEY_PROVIDERS: readonly KeyProvider[] = PROVIDERS.flatMap(
  ({ provider, label, baseUrl, keys, tokens = [] }) =>
    baseUrl === undefined || keys.length === 0 ? [] : [{ provider, label, variables: [...keys, ...tokens] }],
);
