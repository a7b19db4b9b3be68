/**
 * Ids, and the line that each stands in, in some 20 bytes for each however long it is: what is kept is 64 bits of a hash. Among a million ids two are mistaken for one
 * another once in thirty million runs.
 */
export class IdIndex {
  /** For each place the two halves of a hash, and the line; a line of 0 is a free place. */
  #places = new Uint32Array(FIRST_PLACES * FIELDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: string): boolean {
    return this.#places[this.#find(hashOf(id)) + LINE] !== 0;
  }

  /** Adds an id that stands in a line, counted from one; gives back the line that has it already, if there is one. */
  add(id: string, line: number): number | undefined {
    const hash = hashOf(id);
    const place = this.#find(hash);
    const before = this.#places[place + LINE];
    if (before !== 0) return before;
    this.#put(place, hash, line);
    this.#size += 1;
    if (this.#size * FIELDS > this.#places.length * MAX_LOAD) this.#grow();
    return undefined;
  }

  /** Where a hash is, or would be. */
  #find({ high, low }: Hash): number {
    const places = this.#places;
    const count = places.length / FIELDS;
    for (let index = low & (count - 1); ; index = (index + 1) & (count - 1)) {
      const place = index * FIELDS;
      if (places[place + LINE] === 0 || (places[place] === high && places[place + 1] === low)) return place;
    }
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Uint32Array(before.length * 2);
    for (let place = 0; place < before.length; place += FIELDS) {
      const [high = 0, low = 0, line = 0] = [before[place], before[place + 1], before[place + LINE]];
      if (line !== 0) this.#put(this.#find({ high, low }), { high, low }, line);
    }
  }

  #put(place: number, { high, low }: Hash, line: number): void {
    this.#places[place] = high;
    this.#places[place + 1] = low;
    this.#places[place + LINE] = line;
  }
}

interface Hash {
  readonly high: number;
  readonly low: number;
}

const FIELDS = 3;
const LINE = 2;
/** A power of two, and so is every number of places after it. */
const FIRST_PLACES = 1024;
const MAX_LOAD = 0.75;

/** Two hashes in the manner of MurmurHash3, mixed with each other at the end. */
function hashOf(id: string): Hash {
  let [high, low] = [0x9e3779b9, id.length];
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index);
    high = Math.imul(rotated(high ^ Math.imul(unit, 0xcc9e2d51), 13), 5) + 0xe6546b64;
    low = Math.imul(rotated(low ^ Math.imul(unit, 0x85ebca77), 17), 0x1b873593) + 0x38495ab5;
  }
  high = mixed(high + low);
  low = mixed(low + high);
  return { high: high >>> 0, low: low >>> 0 };
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
