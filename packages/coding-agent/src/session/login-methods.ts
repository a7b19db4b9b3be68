import type { AuthMethodDefinition } from '@parley/agent';
import { KEY_PROVIDERS } from '@parley/models/discovery';

/** A way to a real model that the person has to go, and what they read when they try it from here. */
export interface LoginMethod {
  readonly method: AuthMethodDefinition;
  readonly because: string;
}

/** A key that the person pastes in a terminal, where the program that serves the agent can take it. */
export function terminalLogin(args: readonly string[]): AuthMethodDefinition {
  return {
    id: 'store-key',
    name: 'API key, pasted once',
    description: 'asks for it in the terminal and keeps it',
    terminal: { args },
  };
}

/** One for each provider that a key alone gives access to. */
export const LOGIN_METHODS: readonly LoginMethod[] = KEY_PROVIDERS.flatMap(({ provider, label, variables }) => {
  const [variable] = variables;
  if (variable === undefined) return [];
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
