/** Whom a request waits on: a person who must decide, the agent's work, or the client's machine. */
export type WaitsOn = 'person' | 'agent' | 'client';

/** Requests that a person answers. Time that passes in them is nobody's slowness. */
const ASKS_PERSON: ReadonlySet<string> = new Set(['session/request_permission', 'elicitation/create']);

/** Whom a request of this method waits on. */
export function waitsOn(method: string, direction: 'in' | 'out'): WaitsOn {
  if (ASKS_PERSON.has(method)) return 'person';
  return direction === 'out' ? 'agent' : 'client';
}
