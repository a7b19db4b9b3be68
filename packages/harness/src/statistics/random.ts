/** Numbers that look random and are the same for the same seed, on every machine. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from 0 to `limit - 1`, each as likely as the other. */
  below(limit: number): number;
  /** 32 random bits for every place: many at once are several times as fast. */
  fill(target: Uint32Array): void;
}

/** The seed of every interval and test, unless the caller gives one: the same file gives the same report. */
export const DEFAULT_SEED = 1;

export const TWO_TO_32 = 4_294_967_296;

/** The generator sfc32 ("small fast counter") of Chris Doty-Humphrey's PractRand: 128 bits of state, no short cycles. */
export function createRandom(seed: number = DEFAULT_SEED): Random {
  const state = new Int32Array(4);
  state[0] = mix(seed >>> 0);
  state[1] = mix(state[0]);
  state[2] = mix(Math.floor(seed / TWO_TO_32) ^ state[1]);
  state[3] = 1;
  const single = new Uint32Array(1);
  const draw = (): number => {
    advance(state, single);
    return single[0] as number;
  };
  advance(state, new Uint32Array(12));

  return {
    next: () => draw() / TWO_TO_32,
    below(limit) {
      if (!(Number.isInteger(limit) && limit > 0 && limit <= TWO_TO_32)) {
        throw new RangeError(
          `A random number below ${limit} was asked for; the limit is a whole number from 1 to 2^32.`,
        );
      }
      // Draws beyond the last whole multiple of the limit would favour small numbers, so they are thrown away.
      const last = TWO_TO_32 - (TWO_TO_32 % limit);
      let drawn = draw();
      while (drawn >= last) drawn = draw();
      return drawn % limit;
    },
    fill: (target) => advance(state, target),
  };
}

function advance(state: Int32Array, target: Uint32Array): void {
  let [a = 0, b = 0, c = 0, counter = 0] = state;
  for (let index = 0; index < target.length; index++) {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    target[index] = sum;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}

/** Fisher and Yates: `count` of the values, every choice as likely as any other, in the order they were drawn. */
export function sample<Value>(values: readonly Value[], count: number, random: Random): Value[] {
  const rest = [...values];
  const drawn: Value[] = [];
  while (drawn.length < count && rest.length > 0) {
    const index = random.below(rest.length);
    const last = rest.pop() as Value;
    drawn.push(index < rest.length ? (rest[index] as Value) : last);
    if (index < rest.length) rest[index] = last;
  }
  return drawn;
}

/** The finalizer of MurmurHash3: seeds that differ in one bit have nothing in common afterwards. */
function mix(seed: number): number {
  let value = (seed + 0x9e3779b9) | 0;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}
