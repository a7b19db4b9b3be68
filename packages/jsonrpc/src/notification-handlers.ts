import { isPromise } from './guards.ts';

/** Takes one notification. Its effect must be done when it returns: nothing waits for a promise. */
export type NotificationHandler = (params: unknown, method: string) => void;

/**
 * Who takes which notification. Several may take one; they are called in the order they came, and one that fails keeps
 * none of the others from hearing. A method with one handler, which is nearly every method, costs no more for it.
 */
export class NotificationHandlers {
  /** What is called for a method: its only handler, or a function that calls them all. */
  readonly #called = new Map<string, NotificationHandler>();
  readonly #lists = new Map<string, readonly Registration[]>();
  readonly #onFailure: (method: string, params: unknown, error: unknown) => void;

  constructor(onFailure: (method: string, params: unknown, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Returns a function that takes this handler away again, and no other. */
  add(method: string, handler: NotificationHandler): () => void {
    const added: Registration = { handler };
    this.#set(method, [...this.#list(method), added]);
    return () => {
      const others = this.#list(method).filter((each) => each !== added);
      this.#set(method, others);
    };
  }

  get(method: string): NotificationHandler | undefined {
    return this.#called.get(method);
  }

  /** Calls a handler; whatever it does wrong is reported and goes no further. */
  call(handler: NotificationHandler, params: unknown, method: string): void {
    try {
      const returned: unknown = handler(params, method);
      if (isPromise(returned)) returned.then(undefined, (error) => this.#onFailure(method, params, error));
    } catch (error) {
      this.#onFailure(method, params, error);
    }
  }

  #list(method: string): readonly Registration[] {
    return this.#lists.get(method) ?? [];
  }

  #set(method: string, list: readonly Registration[]): void {
    this.#lists.set(method, list);
    const [first] = list;
    if (!first) {
      this.#lists.delete(method);
      this.#called.delete(method);
    } else if (list.length === 1) this.#called.set(method, first.handler);
    else this.#called.set(method, (params) => this.#callAll(list, params, method));
  }

  #callAll(list: readonly Registration[], params: unknown, method: string): void {
    for (const { handler } of list) this.call(handler, params, method);
  }
}

/** An object for each time, so that a handler that was added twice can be removed once. */
interface Registration {
  readonly handler: NotificationHandler;
}
