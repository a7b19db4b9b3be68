/**
 * An immutable list that is cheap to extend and to change: `push` and `set` return a new list that shares almost all of
 * its parts with the old one. Folding a hundred thousand updates therefore costs time in proportion to their number,
 * and every transcript on the way stays valid for whoever holds it.
 *
 * Inside it is a tree of blocks of 32 items, with the last block kept apart, because that is where nearly all changes are.
 */
export class List<T> implements Iterable<T> {
  readonly length: number;
  readonly #root: Block;
  readonly #depth: number;
  readonly #tail: readonly T[];

  private constructor(length: number, root: Block, depth: number, tail: readonly T[]) {
    this.length = length;
    this.#root = root;
    this.#depth = depth;
    this.#tail = tail;
  }

  static empty<T>(): List<T> {
    return EMPTY;
  }

  static from<T>(items: Iterable<T>): List<T> {
    let list = List.empty<T>();
    for (const item of items) list = list.push(item);
    return list;
  }

  /** The item at an index; a negative one counts from the end. */
  at(index: number): T | undefined {
    const position = index < 0 ? this.length + index : index;
    if (position < 0 || position >= this.length) return undefined;
    return this.#blockAt(position)[position & MASK];
  }

  push(item: T): List<T> {
    if (this.#tail.length < WIDTH) return new List(this.length + 1, this.#root, this.#depth, [...this.#tail, item]);
    const stored = this.length - WIDTH;
    const isFull = stored === WIDTH ** (this.#depth + 2);
    const root = isFull
      ? [this.#root, chain(this.#tail, this.#depth)]
      : insert(this.#root, this.#depth, stored, this.#tail);
    return new List(this.length + 1, root, isFull ? this.#depth + 1 : this.#depth, [item]);
  }

  /** The list with another item at an index it has. */
  set(index: number, item: T): List<T> {
    if (index < 0 || index >= this.length) throw new RangeError(`No item ${index} in a list of ${this.length}`);
    if (index >= this.#tailStart) {
      return new List(this.length, this.#root, this.#depth, this.#tail.with(index & MASK, item));
    }
    return new List(this.length, replace(this.#root, this.#depth, index, item), this.#depth, this.#tail);
  }

  *[Symbol.iterator](): IterableIterator<T> {
    yield* this.from(0);
  }

  /** The items from an index on, without walking over those before it. */
  *from(start: number): IterableIterator<T> {
    for (let position = Math.max(0, start); position < this.length; ) {
      const block = this.#blockAt(position);
      for (let offset = position & MASK; offset < block.length; offset += 1) yield block[offset] as T;
      position = (position | MASK) + 1;
    }
  }

  toArray(): T[] {
    return [...this];
  }

  toJSON(): T[] {
    return this.toArray();
  }

  get #tailStart(): number {
    return this.length - this.#tail.length;
  }

  #blockAt(position: number): readonly T[] {
    if (position >= this.#tailStart) return this.#tail;
    let block = this.#root;
    for (let level = this.#depth; level > 0; level -= 1) block = block[slot(position, level)] as Block;
    return block[slot(position, 0)] as readonly T[];
  }

  static readonly EMPTY: List<never> = new List<never>(0, [], 0, []);
}

/** Holds further blocks, or at the lowest level the blocks of items. */
type Block = readonly unknown[];

const BITS = 5;
const WIDTH = 32;
const MASK = WIDTH - 1;
const EMPTY = List.EMPTY;

/** Which part of a block on this level leads to a position. */
function slot(position: number, level: number): number {
  return (position >>> (BITS * (level + 1))) & MASK;
}

/** A new branch of the given depth that leads to one block. */
function chain(leaf: Block, depth: number): Block {
  let block: Block = [leaf];
  for (let level = 0; level < depth; level += 1) block = [block];
  return block;
}

function insert(block: Block, level: number, position: number, leaf: Block): Block {
  const index = slot(position, level);
  if (level === 0) return [...block, leaf];
  const child = block[index] as Block | undefined;
  if (child === undefined) return [...block, chain(leaf, level - 1)];
  return block.with(index, insert(child, level - 1, position, leaf));
}

function replace(block: Block, level: number, position: number, item: unknown): Block {
  const index = slot(position, level);
  const child = block[index] as Block;
  return block.with(index, level === 0 ? child.with(position & MASK, item) : replace(child, level - 1, position, item));
}
