import { META } from './meta.ts';

/** The agent's own id of a session; a host has it under another one, and says so in the answer that opens it. */
export function agentSessionIdOf({
  id,
  meta,
}: {
  readonly id: string;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}): string {
  const told = meta?.[META.agentSessionId];
  return typeof told === 'string' ? told : id;
}
