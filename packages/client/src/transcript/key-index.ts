/**
 * Finds positions in a growing list by a key. Each version is immutable to its holder, but versions that follow each
 * other share one map: a position beyond a version's own end is not visible to it. Only extending an old version a
 * second time, which makes a branch, costs a copy.
 */
export class KeyIndex {
  readonly #shared: { readonly positions: Map<string, number>; newest: number };
  readonly #size: number;
  readonly #version: number;

  private constructor(shared: { positions: Map<string, number>; newest: number }, size: number, version: number) {
    this.#shared = shared;
    this.#size = size;
    this.#version = version;
  }

  static create(): KeyIndex {
    return new KeyIndex({ positions: new Map(), newest: 0 }, 0, 0);
  }

  get(key: string): number | undefined {
    const position = this.#shared.positions.get(key);
    return position !== undefined && position < this.#size ? position : undefined;
  }

  /** The index with one more key. Positions must grow from call to call, and a key keeps the position it first got. */
  add(key: string, position: number): KeyIndex {
    const isNewest = this.#shared.newest === this.#version;
    const shared = isNewest ? this.#shared : { positions: this.#visible(), newest: this.#version };
    shared.positions.set(key, position);
    shared.newest += 1;
    return new KeyIndex(shared, position + 1, shared.newest);
  }

  #visible(): Map<string, number> {
    return new Map([...this.#shared.positions].filter(([, position]) => position < this.#size));
  }
}
