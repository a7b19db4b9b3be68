/** Secrets that came with a login and stay out of every message; each is there for one use. */
export class Credentials {
  readonly #secrets = new Map<string, unknown>();

  give(methodId: string, secret: unknown): void {
    this.#secrets.set(methodId, secret);
  }

  take(methodId: string): unknown {
    const secret = this.#secrets.get(methodId);
    this.#secrets.delete(methodId);
    return secret;
  }
}
