import type { Client } from '@parley/agent';
import { toAgent } from './refusals.ts';

/** Where the files and terminals of a session of the agent are. */
export interface PlaceOfSession {
  /** The name that the session has at the client. */
  readonly sessionId: string;
  /** The client that prompts, or has the session open. */
  readonly client: Client;
}

interface Fields {
  readonly sessionId?: unknown;
  readonly terminalId?: unknown;
}

/** A terminal at a client, until the agent gives it back. */
interface HeldTerminal extends PlaceOfSession {
  readonly terminalId: string;
}

const OFFERS = {
  'fs/read_text_file': 'readTextFile',
  'fs/write_text_file': 'writeTextFile',
  'terminal/create': 'terminals',
} as const;

/**
 * Requests of one agent for the files and terminals of clients. They are passed on as they came, with the session under its other
 * name, and so are the answers. A terminal stays with the client that has it, whoever prompts later.
 */
export class ServicesAtClients {
  readonly #placeOf: (sessionId: string) => PlaceOfSession | undefined;
  readonly #terminals = new Map<string, HeldTerminal>();

  constructor(placeOf: (sessionId: string) => PlaceOfSession | undefined) {
    this.#placeOf = placeOf;
  }

  /** The client's answer; undefined where no client offers it. */
  ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> | undefined {
    const { sessionId: foreignId, terminalId } = params as Fields;
    const key = keyOf(String(foreignId), String(terminalId));
    const held = terminalId === undefined ? undefined : this.#terminals.get(key);
    const place = held ?? this.#offered(method, String(foreignId));
    if (!place) return undefined;
    const { client, sessionId } = place;
    const given = { ...(params as object), sessionId };
    if (method === 'terminal/create') return this.#create(String(foreignId), place, given, signal);
    if (method === 'terminal/release') this.#terminals.delete(key);
    return asked(client.request(method, given, { signal }));
  }

  /** Gives back the terminals of a session of the agent, or all: nobody else will. */
  release(foreignId?: string): void {
    for (const [key, { client, sessionId, terminalId }] of this.#terminals) {
      if (foreignId !== undefined && !key.startsWith(keyOf(foreignId, ''))) continue;
      this.#terminals.delete(key);
      client.request('terminal/release', { sessionId, terminalId }).catch(() => {});
    }
  }

  #offered(method: string, foreignId: string): PlaceOfSession | undefined {
    if (!Object.hasOwn(OFFERS, method)) return undefined;
    const place = this.#placeOf(foreignId);
    if (!place?.client.offers[OFFERS[method as keyof typeof OFFERS]]) return undefined;
    return { sessionId: place.sessionId, client: place.client.current() };
  }

  async #create(foreignId: string, place: PlaceOfSession, params: object, signal: AbortSignal): Promise<unknown> {
    // It is not withdrawn: the client may have the terminal by then, which somebody must give back.
    const answer = await asked(place.client.request('terminal/create', params));
    const { terminalId } = (answer ?? {}) as Fields;
    if (typeof terminalId === 'string') {
      this.#terminals.set(keyOf(foreignId, terminalId), { ...place, terminalId });
      if (signal.aborted) this.release(foreignId);
    }
    return answer;
  }
}

function keyOf(sessionId: string, terminalId: string): string {
  return `${JSON.stringify(sessionId)} ${terminalId}`;
}

async function asked(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    throw toAgent(error);
  }
}
