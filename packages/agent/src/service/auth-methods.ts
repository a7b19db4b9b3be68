import type { AgentDefinition, AuthMethod } from '../contract/definition.ts';

/** The methods that a client can use: it runs terminal methods itself, if it can. */
export function authMethodsFor({ authMethods }: AgentDefinition, runsTerminals: boolean): readonly AuthMethod[] {
  return authMethods.filter(({ terminal }) => !terminal || runsTerminals);
}
