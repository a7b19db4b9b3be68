import type { Input, OperationName, SessionKey } from '../backend/operations.ts';

/** A call that waits for its turn or is being carried out. */
export interface QueuedCall<Name extends OperationName = OperationName> {
  readonly name: Name;
  readonly input: Input<Name>;
  /** Where the store was given a clock of its own: the time at which it was called. */
  readonly timeMs: number | undefined;
  resolve(output: never): void;
  reject(error: unknown): void;
}

const READS: ReadonlySet<OperationName> = new Set<OperationName>(['get', 'list', 'page', 'inbound']);

/** What changes which sessions there are; a list that was asked for before must not show it. */
const CHANGES_THE_LIST: ReadonlySet<OperationName> = new Set<OperationName>(['create', 'fork', 'remove', 'update']);

/** A commit takes this many events, and as many bytes, so that the first of them need not wait for too many others. */
const MAX_GROUP_EVENTS = 512;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/**
 * Calls in the order they must take effect, while several connections carry them out: a call waits for every earlier one on
 * the same session, unless both only look. A list waits for everything that was written before it, and for nothing that comes
 * after; only what makes or removes a session waits for the lists that were asked for before. Appends go together,
 * whatever their sessions.
 */
export class CallQueue {
  #waiting: PlacedCall[] = [];
  readonly #busy = new Places();
  readonly #placed = new WeakMap<QueuedCall, PlacedCall>();
  #calls = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(call: QueuedCall): void {
    const placed = { call, place: ++this.#calls };
    this.#placed.set(call, placed);
    this.#waiting.push(placed);
  }

  /** The next calls that one connection may carry out together: a single one, or appends. Undefined while all must wait. */
  take(): readonly QueuedCall[] | undefined {
    const ahead = new Places();
    const taken: PlacedCall[] = [];
    const left: PlacedCall[] = [];
    let events = 0;
    let bytes = 0;
    for (const placed of this.#waiting) {
      const { call } = placed;
      const isFree = !this.#busy.hinder(placed) && !ahead.hinder(placed);
      const isFitting = taken.length === 0 || (isAppend(taken[0]?.call) && isAppend(call));
      if (isFree && isFitting && events < MAX_GROUP_EVENTS && bytes < MAX_GROUP_BYTES) {
        taken.push(placed);
        if (isAppend(call)) {
          events += call.input.events.length;
          bytes += call.input.events.reduce((sum, event) => sum + event.bytes, 0);
        } else events = MAX_GROUP_EVENTS;
      } else {
        ahead.enter(placed);
        left.push(placed);
      }
    }
    if (taken.length === 0) return undefined;
    this.#waiting = left;
    for (const placed of taken) this.#busy.enter(placed);
    return taken.map(({ call }) => call);
  }

  done(calls: readonly QueuedCall[]): void {
    for (const call of calls) {
      const placed = this.#placed.get(call);
      if (placed) this.#busy.leave(placed);
    }
  }
}

/** A call with its place in the order of all. */
interface PlacedCall {
  readonly call: QueuedCall;
  readonly place: number;
}

function isAppend(call: QueuedCall | undefined): call is QueuedCall<'append'> {
  return call?.name === 'append';
}

/** Who looks at which session and who writes it; and by principal, who writes anything and who lists all. */
class Places {
  readonly #reads = new Groups();
  readonly #writes = new Groups();
  readonly #writers = new Groups();
  readonly #lists = new Groups();

  /** Whether a call must wait for those that are here. */
  hinder({ call, place }: PlacedCall): boolean {
    const principal = principalOf(call);
    if (call.name === 'list') return this.#writers.hasBefore(principal, place);
    if (CHANGES_THE_LIST.has(call.name) && this.#lists.hasBefore(principal, place)) return true;
    const isWrite = !READS.has(call.name);
    return sessionsOf(call).some((name) => this.#writes.has(name) || (isWrite && this.#reads.has(name)));
  }

  enter({ call, place }: PlacedCall): void {
    for (const [groups, name] of this.#groupsOf(call)) groups.add(name, place);
  }

  leave({ call, place }: PlacedCall): void {
    for (const [groups, name] of this.#groupsOf(call)) groups.delete(name, place);
  }

  #groupsOf(call: QueuedCall): readonly (readonly [Groups, string])[] {
    if (call.name === 'list') return [[this.#lists, principalOf(call)]];
    const isWrite = !READS.has(call.name);
    const sessions = sessionsOf(call).map((name) => [isWrite ? this.#writes : this.#reads, name] as const);
    return isWrite ? [...sessions, [this.#writers, principalOf(call)]] : sessions;
  }
}

/** The places of calls, by a name that they have in common. */
class Groups {
  readonly #places = new Map<string, Set<number>>();

  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** Whether one is there whose place is before this one. */
  hasBefore(name: string, place: number): boolean {
    for (const each of this.#places.get(name) ?? []) if (each < place) return true;
    return false;
  }

  add(name: string, place: number): void {
    const places = this.#places.get(name);
    if (places) places.add(place);
    else this.#places.set(name, new Set([place]));
  }

  delete(name: string, place: number): void {
    const places = this.#places.get(name);
    if (places?.delete(place) && places.size === 0) this.#places.delete(name);
  }
}

function sessionsOf(call: QueuedCall): readonly string[] {
  const { principal, sessionId, newId } = call.input as SessionKey & { readonly newId?: string };
  return [sessionId, ...(newId === undefined ? [] : [newId])].map((id) => `${principal}\0${id}`);
}

function principalOf({ input }: QueuedCall): string {
  return (input as { readonly principal: string }).principal;
}
