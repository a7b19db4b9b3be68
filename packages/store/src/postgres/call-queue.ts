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

/** A commit takes this many events, and as many bytes, so that the first of them need not wait for too many others. */
const MAX_GROUP_EVENTS = 512;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/**
 * Calls in the order they must take effect, while several connections carry them out: a call waits for every earlier one on
 * the same session, unless both only look. A list waits for everything that was written before it. Appends go together,
 * whatever their sessions.
 */
export class CallQueue {
  #waiting: QueuedCall[] = [];
  readonly #busy = new Places();

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(call: QueuedCall): void {
    this.#waiting.push(call);
  }

  /** The next calls that one connection may carry out together: a single one, or appends. Undefined while all must wait. */
  take(): readonly QueuedCall[] | undefined {
    const ahead = new Places();
    const taken: QueuedCall[] = [];
    const left: QueuedCall[] = [];
    let events = 0;
    let bytes = 0;
    for (const call of this.#waiting) {
      const isFree = !this.#busy.hinder(call) && !ahead.hinder(call);
      const isFitting = taken.length === 0 || (isAppend(taken[0]) && isAppend(call));
      if (isFree && isFitting && events < MAX_GROUP_EVENTS && bytes < MAX_GROUP_BYTES) {
        taken.push(call);
        if (isAppend(call)) {
          events += call.input.events.length;
          bytes += call.input.events.reduce((sum, event) => sum + event.bytes, 0);
        } else events = MAX_GROUP_EVENTS;
      } else {
        ahead.enter(call);
        left.push(call);
      }
    }
    if (taken.length === 0) return undefined;
    this.#waiting = left;
    for (const call of taken) this.#busy.enter(call);
    return taken;
  }

  done(calls: readonly QueuedCall[]): void {
    for (const call of calls) this.#busy.leave(call);
  }
}

function isAppend(call: QueuedCall | undefined): call is QueuedCall<'append'> {
  return call?.name === 'append';
}

/** Who looks at which session and who writes it; and how much is written of a principal. */
class Places {
  readonly #reads = new Map<string, number>();
  readonly #writes = new Map<string, number>();

  /** Whether a call must wait for those that are here. */
  hinder(call: QueuedCall): boolean {
    if (call.name === 'list') return this.#writes.has(principalOf(call));
    const isWrite = !READS.has(call.name);
    return sessionsOf(call).some((name) => this.#writes.has(name) || (isWrite && this.#reads.has(name)));
  }

  enter(call: QueuedCall): void {
    this.#count(call, 1);
  }

  leave(call: QueuedCall): void {
    this.#count(call, -1);
  }

  #count(call: QueuedCall, change: 1 | -1): void {
    if (call.name === 'list') return;
    const isWrite = !READS.has(call.name);
    const counts = isWrite ? this.#writes : this.#reads;
    for (const name of [...sessionsOf(call), ...(isWrite ? [principalOf(call)] : [])]) {
      const count = (counts.get(name) ?? 0) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    }
  }
}

function sessionsOf(call: QueuedCall): readonly string[] {
  const { principal, sessionId, newId } = call.input as SessionKey & { readonly newId?: string };
  return [sessionId, ...(newId === undefined ? [] : [newId])].map((id) => `${principal}\0${id}`);
}

function principalOf({ input }: QueuedCall): string {
  return (input as { readonly principal: string }).principal;
}
