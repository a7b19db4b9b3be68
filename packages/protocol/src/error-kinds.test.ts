import { ConnectionClosedError, ParleyError, RequestTimeoutError, RpcError } from '@parley/jsonrpc';
import { ERROR_KINDS, type ErrorKind, errorOfKind, kindOfError } from '@parley/protocol';
import { describe, expect, it } from 'vitest';

const KINDS = Object.keys(ERROR_KINDS) as ErrorKind[];

describe('error kinds', () => {
  it.each(KINDS)('carry %s over the wire and back', (kind) => {
    const wire = JSON.parse(JSON.stringify(errorOfKind(kind))) as { code: number; message: string };
    expect(wire.code).toBe(ERROR_KINDS[kind].code);
    expect(wire.message).toBe(ERROR_KINDS[kind].message);
    expect(kindOfError(wire)).toBe(kind);
  });

  it('add the kind to data only where the number alone would mislead', () => {
    expect(errorOfKind('auth_required').data).toBeUndefined();
    expect(errorOfKind('auth_failed').data).toEqual({ kind: 'auth_failed' });
    expect(errorOfKind('session_not_found', { data: { sessionId: 's' } }).data).toEqual({
      sessionId: 's',
      kind: 'session_not_found',
    });
  });

  it('take the message and data of the sender', () => {
    const error = errorOfKind('resource_not_found', { message: 'No such file', data: { uri: 'file:///x' } });
    expect(error).toBeInstanceOf(RpcError);
    expect(error.toJSON()).toEqual({ code: -32002, message: 'No such file', data: { uri: 'file:///x' } });
  });

  it('read what other implementations send', () => {
    expect(kindOfError({ code: -32002, message: 'x', data: { sessionId: 's' } })).toBe('session_not_found');
    expect(kindOfError({ code: -32002, message: 'x' })).toBe('resource_not_found');
    expect(kindOfError({ code: -32000, message: 'x', data: 'a string' })).toBe('auth_required');
    expect(kindOfError({ code: 42, message: 'x' })).toBe('internal_error');
  });

  it('do not believe a kind that does not go with its number', () => {
    expect(kindOfError({ code: -32602, message: 'x', data: { kind: 'auth_failed' } })).toBe('invalid_params');
    expect(kindOfError({ code: -32602, message: 'x', data: { kind: 'constructor' } })).toBe('invalid_params');
  });

  it('know the errors of our own side', () => {
    expect(kindOfError(new RequestTimeoutError('session/new', 5))).toBe('request_timeout');
    expect(kindOfError(new ConnectionClosedError('gone', { kind: 'ended' }))).toBe('connection_closed');
    expect(kindOfError(new ParleyError('something_else', 'x'))).toBe('internal_error');
    expect(kindOfError('thrown string')).toBe('internal_error');
  });

  it('advise what to do', () => {
    expect(ERROR_KINDS.session_expired).toMatchObject({ recoverable: 'yes', action: 'start_session' });
    expect(ERROR_KINDS.request_timeout).toMatchObject({ recoverable: 'yes', action: 'retry_later' });
    expect(ERROR_KINDS.permission_denied).toMatchObject({ recoverable: 'no', action: 'accept' });
    expect(ERROR_KINDS.internal_error.recoverable).toBe('maybe');
  });
});
