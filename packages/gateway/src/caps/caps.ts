/** What one principal may have at most. What goes beyond is refused in words, and hurts nobody else. */
export interface Caps {
  /** Connections at one time, over all ports. */
  readonly connections: number;
  /** Sessions that are open at one time, over all agents. */
  readonly sessions: number;
  /** Processes of agents that run for this principal alone. Shared ones count for nobody. */
  readonly processes: number;
  /** What its clients send, on wires that count it. A client that sends more is read more slowly. */
  readonly bytesPerSecond: number;
  /** Requests of its clients. Beyond twice as many in a second they are refused, and may be sent again after `retryAfterMs`. */
  readonly requestsPerSecond: number;
}

/** The same for all, or for each by name. What is not said is not capped. */
export type CapsSetting = Partial<Caps> | ((principal: string) => Partial<Caps>);

const UNCAPPED: Caps = {
  connections: Number.POSITIVE_INFINITY,
  sessions: Number.POSITIVE_INFINITY,
  processes: Number.POSITIVE_INFINITY,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  requestsPerSecond: Number.POSITIVE_INFINITY,
};

export function capsOf(setting: CapsSetting | undefined, principal: string): Caps {
  return { ...UNCAPPED, ...(typeof setting === 'function' ? setting(principal) : setting) };
}
