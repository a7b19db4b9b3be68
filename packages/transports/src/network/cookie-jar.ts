/**
 * The cookies of one agent: load balancers send them to bring a connection back to the same machine. They only ever go to the
 * address that set them, so names and values are all there is to keep.
 */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Takes the `Set-Cookie` fields of an answer. */
  store(fields: readonly string[]): void {
    for (const field of fields) {
      const [, name = '', value = ''] = /^\s*([^=;\s]+)\s*=\s*([^;]*)/.exec(field) ?? [];
      if (name === '') continue;
      if (hasExpired(field) || this.#isFull(name)) this.#cookies.delete(name);
      else this.#cookies.set(name, value.trim());
    }
  }

  /** The value of the `Cookie` field; undefined when there is none. */
  get header(): string | undefined {
    if (this.#cookies.size === 0) return undefined;
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #isFull(name: string): boolean {
    return !this.#cookies.has(name) && this.#cookies.size >= MAX_COOKIES;
  }
}

/** As many as a browser keeps for one host, roughly. */
const MAX_COOKIES = 50;

function hasExpired(field: string): boolean {
  const maxAge = /;\s*max-age\s*=\s*(-?\d+)/i.exec(field)?.[1];
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = /;\s*expires\s*=\s*([^;]+)/i.exec(field)?.[1];
  return expires !== undefined && Date.parse(expires) <= Date.now();
}
