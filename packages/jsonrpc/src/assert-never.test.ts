import { describe, expect, it } from 'vitest';
import { assertNever } from './index.ts';

describe('assertNever', () => {
  it('names what no branch took, without telling what is in it', () => {
    expect(() => assertNever('new' as never)).toThrow('No branch takes this value: new');
    expect(() => assertNever({ type: 'new_event', text: 'secret' } as never)).toThrow(/an object of type new_event$/);
    expect(() => assertNever({ kind: 'other' } as never)).toThrow('an object of kind other');
  });
});
