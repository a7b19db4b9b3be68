import { randomUUID } from 'node:crypto';
import type { AgentOptions } from '@parley/agent';
import type { SessionStore } from '@parley/store';

/** Whose sessions the probes are; nobody can be called that, since names have a slash in them. */
const PROBE_PRINCIPAL = 'probe';

/** How often a store that fails is tried again. */
const PROBE_EVERY_MS = 5000;
/** How long a store may take to answer a small read. */
const ANSWER_MS = 1000;

type Open = () => Promise<SessionStore>;

/** Opens a store when it is first needed, and once for everybody who needs it. */
export function openOnce(store: NonNullable<AgentOptions['store']>): Open {
  let opening: Promise<SessionStore> | undefined;
  const open = async (): Promise<SessionStore> => (typeof store === 'function' ? store() : store);
  return () => {
    opening ??= open().catch((error: unknown) => {
      // The next that needs it tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

/**
 * Whether the store can be written. It is tried when something could not be written, and then again and again until it can, so that
 * a full disk that has room again is noticed although nobody asks for anything.
 */
export class StoreHealth {
  readonly #open: Open | undefined;
  readonly #onChange: (failure: unknown) => void;
  #isFailing = false;
  #isSilent = false;
  #checking: Promise<void> | undefined;
  #probing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** `onChange` hears why the store cannot be written, and undefined when it can again. */
  constructor(open: Open | undefined, onChange: (failure: unknown) => void) {
    this.#open = open;
    this.#onChange = onChange;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Whether the last check was not answered in time. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Reads something small. Resolves when it was answered, or not in time; many callers share one read. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  probe(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    const answer = this.#open?.().then((store) => store.check());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const deadline = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ANSWER_MS);
    });
    const answered = answer?.then(
      () => true,
      () => false,
    );
    this.#isSilent = !(await Promise.race([answered ?? true, deadline]));
    clearTimeout(timer);
    // The log of the server says since when, and for which reason.
    if (this.#isSilent && !this.#isFailing && !this.#isClosed) void this.probe();
  }

  async #probe(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const log = (await this.#open?.())?.log(PROBE_PRINCIPAL);
      if (!log) return;
      const { id } = await log.create({ id: `probe-${randomUUID()}`, cwd: '/', metadata: {} });
      await log.remove(id);
      if (this.#isFailing) this.#onChange(undefined);
      this.#isFailing = false;
    } catch (error) {
      if (this.#isClosed) return;
      if (!this.#isFailing) this.#onChange(error);
      this.#isFailing = true;
      this.#timer = setTimeout(() => void this.probe(), PROBE_EVERY_MS).unref();
    }
  }
}
