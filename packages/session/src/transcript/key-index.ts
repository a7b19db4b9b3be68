/**
 * Finds positions in a growing list by a key. Each version is immutable to its holder, but versions that follow each
 * other share one map: a position beyond a version's own end is not visible to it. Only extending an old version a
 * second time, which makes a branch, costs a copy.
 */
export class KeyIndex {
  readonly #shared: Shared;
  readonly #size: number;
  readonly #version: number;

  private constructor(shared: Shared, size: number, version: number) {
    this.#shared = shared;
    this.#size = size;
    this.#version = version;
  }

  static create(): KeyIndex {
    return new KeyIndex({ positions: new Map(), newest: 0 }, 0, 0);
  }

  /** The position that the key was added with last. */
  get(key: string): number | undefined {
    const found = this.#shared.positions.get(key);
    if (typeof found === 'number') return found < this.#size ? found : undefined;
    return found?.findLast((position) => position < this.#size);
  }

  /** The index with one more key. Positions must grow from call to call. */
  add(key: string, position: number): KeyIndex {
    const isNewest = this.#shared.newest === this.#version;
    const shared = isNewest ? this.#shared : { positions: this.#visible(), newest: this.#version };
    const known = shared.positions.get(key);
    shared.positions.set(key, known === undefined ? position : [known, position].flat());
    shared.newest += 1;
    return new KeyIndex(shared, position + 1, shared.newest);
  }

  #visible(): Shared['positions'] {
    const visible = [...this.#shared.positions].map(
      ([key, positions]) => [key, [positions].flat().filter((position) => position < this.#size)] as const,
    );
    return new Map(visible.filter(([, positions]) => positions.length > 0));
  }
}

interface Shared {
  /** Nearly every key has one position; a list of one would cost more than the rest of the entry. */
  readonly positions: Map<string, number | readonly number[]>;
  newest: number;
}
