import { DIALECT_NAMES, type DialectName, ERROR_CODES, ERROR_MEANINGS } from '@parley/dialects';
import { describe, expect, it } from 'vitest';
import { openBorder } from './border.ts';

const foreign: readonly DialectName[] = ['harness', 'overview', 'go', 'elephant', 'pharo'];
const kinds = Object.keys(ERROR_CODES.canonical) as (keyof typeof ERROR_CODES.canonical)[];

describe('errors', () => {
  it('D120 gives each number the meaning of its dialect', () => {
    expect(openBorder('go').readError('session/prompt', { code: -32002, message: 'm' })).toMatchObject({
      code: -32603,
      data: { kind: 'permission_denied', dialect: { from: 'go', code: -32002 } },
    });
    expect(openBorder('pharo').readError('fs/read_text_file', { code: -32003, message: 'm' })).toMatchObject({
      code: -32002,
      data: { kind: 'resource_not_found' },
    });
    expect(openBorder('go').readError('session/prompt', { code: -32003, message: 'm' })).toMatchObject({
      code: -32002,
      data: { kind: 'session_expired' },
    });
    expect(openBorder('pharo').readError('session/new', { code: -32001, message: 'm' })).toMatchObject({
      code: -32000,
      data: { kind: 'auth_required' },
    });
    expect(openBorder('overview').readError('session/new', { code: -32000, message: 'm' })).toEqual({
      code: -32000,
      message: 'm',
    });
  });

  it.each(foreign)('D120 tells every kind in %s, and the numbers of a document mean there what they say', (dialect) => {
    for (const kind of kinds) {
      const code = ERROR_CODES.canonical[kind];
      const written = openBorder(dialect).writeError('session/prompt', { code, message: 'm', data: { kind } });
      expect(written.code).toBe(ERROR_CODES[dialect][kind]);
      expect(openBorder(dialect).readError('session/prompt', written)).toEqual({ code, message: 'm', data: { kind } });
    }
    for (const [code, kind] of ERROR_MEANINGS[dialect] ?? []) expect(ERROR_CODES[dialect][kind]).toBe(code);
  });

  it.each(foreign)('D120 gives every number of %s back as it came', (dialect) => {
    const own = dialect === 'harness' ? [-32800] : [...(ERROR_MEANINGS[dialect]?.keys() ?? [])];
    const codes = [...own, -32700, -32600, -32601, -32602, -32603, -1];
    for (const code of codes) {
      for (const data of [undefined, 'text', { reason: 'r' }, { kind: 'mine' }, null, [1]]) {
        const error = data === undefined ? { code, message: 'm' } : { code, message: 'm', data };
        const read = openBorder(dialect).readError('session/prompt', error);
        expect(openBorder(dialect).writeError('session/prompt', read)).toEqual(error);
      }
    }
  });

  it('D120 tells a missing session from a missing file where a dialect has two numbers', () => {
    const missing = (method: string, data?: unknown) =>
      openBorder('pharo').writeError(method, { code: -32002, message: 'm', ...(data === undefined ? {} : { data }) })
        .code;
    expect(missing('session/prompt')).toBe(-32005);
    expect(missing('fs/read_text_file')).toBe(-32003);
    expect(missing('session/prompt', { uri: 'file:///x' })).toBe(-32003);
    expect(missing('session/load', { sessionId: 's' })).toBe(-32005);
  });

  it('D121 keeps data that is a string, as elephant has it', () => {
    const error = { code: -32602, message: 'Invalid params', data: 'cwd is required' };
    expect(openBorder('elephant').readError('session/new', error)).toEqual(error);
    expect(openBorder('elephant').writeError('session/new', error)).toEqual(error);
  });

  it('D122 keeps the reason that pharo gives', () => {
    const error = { code: -32001, message: 'Authentication failed', data: { reason: 'Invalid API key' } };
    const read = openBorder('pharo').readError('authenticate', error);
    expect(read).toMatchObject({ code: -32000, data: { reason: 'Invalid API key', kind: 'auth_failed' } });
    expect(openBorder('pharo').writeError('authenticate', read)).toEqual(error);
  });

  it.each(DIALECT_NAMES)('D123 passes an error without an id in %s', (dialect) => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
    expect(openBorder(dialect).read(error)).toEqual([error]);
    expect(openBorder(dialect).write(error)).toEqual([error]);
  });
});
