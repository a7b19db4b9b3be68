import { createPairing, isRecord, type MessageEntry } from '@parley/session/traces';
import { readTraffic } from './read-traffic.ts';
import { sizeOf } from './size-of.ts';
import type { TrafficBatch, TrafficOptions, TrafficQuery } from './traffic-options.ts';
import { TrafficRing } from './traffic-ring.ts';
import { type NamedSession, namedSession, settledVersion, type TrafficWire, type WireFacts } from './traffic-wire.ts';

const DEFAULT_MAX_ENTRIES = 20_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * What passes through a gateway, for whoever inspects it: the last messages on the wires of clients and agents. Each principal has a
 * ring of its own and sees no other. A message costs a look at its size and one push; it is cleaned of secrets when it is read.
 */
export class Traffic {
  readonly #rings = new Map<string, TrafficRing>();
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #secrets: readonly string[];
  #entries = 0;
  #bytes = 0;

  constructor({ maxEntries = DEFAULT_MAX_ENTRIES, maxBytes = DEFAULT_MAX_BYTES, secrets = [] }: TrafficOptions = {}) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#secrets = secrets;
  }

  /** The wire of a client. */
  openClient({ principal, ...place }: { agent: string; connection: string; principal: string }): TrafficWire {
    const wire: WireFacts = { ...place, side: 'client', protocol: undefined, sessions: undefined };
    return this.#openWire(wire, this.#ringOf(principal));
  }

  /** The wire to an agent. `sessionOf` tells which session of ours it is that the agent calls so. */
  openAgent(options: AgentWireOptions): TrafficWire {
    const { agent, connection, principal, sessionOf } = options;
    const sessions = new Map<string, string>();
    const wire: WireFacts = { agent, connection, side: 'agent', protocol: undefined, sessions };
    if (principal === undefined) return this.#openShared(wire, sessionOf);
    const { pass, passAside } = this.#openWire(wire, this.#ringOf(principal));
    return {
      pass(direction, message) {
        pass(direction, message);
        learnSession(sessions, message, sessionOf);
      },
      passAside,
    };
  }

  /** What has passed and what passes for a principal, several entries at once, until the signal aborts. */
  watch(query: TrafficQuery): AsyncIterable<TrafficBatch> {
    return readTraffic(this.#ringOf(query.principal), query, this.#secrets);
  }

  #ringOf(principal: string): TrafficRing {
    const ring = this.#rings.get(principal) ?? new TrafficRing();
    this.#rings.set(principal, ring);
    return ring;
  }

  #openWire(wire: WireFacts, ring: TrafficRing): TrafficWire {
    return {
      pass: (direction, message) => {
        if (!isRecord(message)) return this.#push(ring, wire, 'noise', direction, String(JSON.stringify(message)));
        wire.protocol ??= settledVersion(message);
        this.#push(ring, wire, 'message', direction, message);
      },
      passAside: (kind, direction, text) =>
        this.#push(ring, wire, kind, direction, text.slice(0, MAX_ASIDE_CHARACTERS)),
    };
  }

  /**
   * A process that principals share. What names a session is its principal's, and so is an answer to it; the rest, such as what is written
   * to stderr, may be about anybody and is kept from all.
   */
  #openShared(wire: WireFacts, sessionOf: AgentWireOptions['sessionOf']): TrafficWire {
    const pairing = createPairing<TrafficRing | undefined>();
    return {
      pass: (direction, message) => {
        if (!isRecord(message)) return;
        wire.protocol ??= settledVersion(message);
        const name = namedSession(message);
        const session = name === undefined ? undefined : sessionOf(name);
        const named = session && this.#ringOf(session.principal);
        const entry: MessageEntry = { kind: 'message', timeMs: 0, direction, message };
        const asked = pairing.pair(entry, named);
        const ring = named ?? asked;
        if (name !== undefined && session) wire.sessions?.set(name, session.id);
        if (ring) this.#push(ring, wire, 'message', direction, message);
      },
      passAside() {},
    };
  }

  #push(
    ring: TrafficRing,
    wire: WireFacts,
    kind: 'message' | 'noise' | 'stderr',
    direction: 'in' | 'out',
    value: unknown,
  ): void {
    const size = sizeOf(value);
    ring.push({ timeMs: Date.now(), wire, kind, direction, value, size });
    this.#entries += 1;
    this.#bytes += size;
    while (this.#entries > this.#maxEntries || this.#bytes > this.#maxBytes) this.#forgetOne(ring);
  }

  /** Whoever has more than their share loses the oldest; nobody can crowd out the others. */
  #forgetOne(latest: TrafficRing): void {
    const share = this.#rings.size;
    const isOver = (ring: TrafficRing): boolean =>
      ring.length > 0 && (ring.length * share > this.#maxEntries || ring.bytes * share > this.#maxBytes);
    const ring = isOver(latest) ? latest : this.#largest();
    const before = ring.bytes;
    ring.shift();
    this.#entries -= 1;
    this.#bytes -= before - ring.bytes;
  }

  #largest(): TrafficRing {
    return [...this.#rings.values()].reduce((one, other) => {
      const weight = (ring: TrafficRing): number =>
        Math.max(ring.length / this.#maxEntries, ring.bytes / this.#maxBytes);
      return weight(other) > weight(one) ? other : one;
    });
  }
}

export interface AgentWireOptions {
  readonly agent: string;
  readonly connection: string;
  /** Whose process it is; undefined where all share it. */
  readonly principal: string | undefined;
  readonly sessionOf: (name: string) => NamedSession | undefined;
}

/** Longest piece of something that is no message that is kept. */
const MAX_ASIDE_CHARACTERS = 4000;

function learnSession(sessions: Map<string, string>, message: unknown, sessionOf: AgentWireOptions['sessionOf']): void {
  const name = isRecord(message) ? namedSession(message) : undefined;
  if (name === undefined || sessions.has(name)) return;
  const session = sessionOf(name);
  if (session) sessions.set(name, session.id);
}
