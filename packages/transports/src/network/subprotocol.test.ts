import { describe, expect, it } from 'vitest';
import { subprotocolsFor, tokenInSubprotocols } from './subprotocol.ts';

describe('the token as a subprotocol', () => {
  it.each(['secret', 'a/b+c==', 'ключ 🔑', ''])('comes out as it went in: %j', (token) => {
    const offered = subprotocolsFor(token);
    expect(offered[0]).toBe('acp');
    for (const each of offered) expect(each).toMatch(/^[A-Za-z0-9._-]+$/);
    expect(tokenInSubprotocols(offered)).toBe(token);
  });

  it('is not offered, and not found, when there is none', () => {
    expect(subprotocolsFor(undefined)).toEqual([]);
    expect(tokenInSubprotocols(['acp', 'other'])).toBeUndefined();
    expect(tokenInSubprotocols(['acp.bearer.!!!'])).toBeUndefined();
  });
});
