export { mutate } from './mutations.ts';
export { createRandom, type Random } from './random.ts';
