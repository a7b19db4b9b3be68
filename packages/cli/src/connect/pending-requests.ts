/** The requests of a client that are not answered yet. */
export class PendingRequests {
  readonly #ids = new Set<string>();
  #onSettled: (() => void) | undefined;

  /** Sees what the client sends. */
  onRequest(value: object): void {
    for (const { method, id } of messagesIn(value)) {
      if (method !== undefined && id !== undefined) this.#ids.add(JSON.stringify(id));
    }
  }

  /** Sees what the agent sends. */
  onAnswer(value: object): void {
    for (const { method, id } of messagesIn(value)) {
      if (method === undefined && id !== undefined) this.#ids.delete(JSON.stringify(id));
    }
    if (this.#ids.size === 0) this.#onSettled?.();
  }

  /** Resolves when all are answered, or when that takes too long. */
  async settled(timeoutMs: number): Promise<void> {
    if (this.#ids.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
  }
}

function messagesIn(value: object): readonly { readonly method?: unknown; readonly id?: unknown }[] {
  return [value].flat().filter((each) => typeof each === 'object' && each !== null);
}
