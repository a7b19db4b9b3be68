import type { AuthMethodDefinition } from '@parley/agent';
import { PROVIDERS } from './providers.ts';

/** A way to a real model that the person has to go, and what they read when they try it from here. */
export interface LoginMethod {
  readonly method: AuthMethodDefinition;
  readonly because: string;
}

/** One for each provider that a key alone gives access to. */
export const LOGIN_METHODS: readonly LoginMethod[] = PROVIDERS.flatMap(({ provider, label, baseUrl, keys }) => {
  const [variable] = keys;
  if (baseUrl === undefined || variable === undefined) return [];
  const description = `Set ${variable} in the environment that the agent is started with; in an editor that is "env" of its settings.`;
  return [
    {
      method: {
        id: `${provider}-api-key`,
        name: `${label}: ${variable}`,
        description,
        meta: { 'parley/env': [variable] },
      },
      because: `${description} Then start it again; until then it runs on the offline model.`,
    },
  ];
});
