import { INVALID, METHODS, ValidationError, v1 } from '@parley/protocol';
import { PROXY_NOTIFICATIONS, PROXY_REQUESTS, v1Unstable } from '@parley/protocol/unstable';
import { v2 } from '@parley/protocol/v2';
import { v2Unstable } from '@parley/protocol/v2/unstable';
import { describe, expect, it } from 'vitest';

const VERSIONS = [v1, v1Unstable, v2, v2Unstable];

describe('the method table', () => {
  it('has every method of each version', () => {
    expect(VERSIONS.map(({ methods }) => Object.keys(methods).length)).toEqual([25, 36, 18, 29]);
  });

  it('says who receives a method, what kind it is and what it needs', () => {
    expect(METHODS['session/load']).toMatchObject({
      method: 'session/load',
      receiver: 'agent',
      kind: 'request',
      stability: 'stable',
      gate: ['agentCapabilities.loadSession'],
    });
    expect(METHODS['terminal/kill']).toMatchObject({ receiver: 'client', gate: ['clientCapabilities.terminal'] });
    expect(METHODS['session/update']).toMatchObject({ receiver: 'client', kind: 'notification', gate: [] });
    expect(METHODS['$/cancel_request']).toMatchObject({ receiver: 'both', kind: 'notification' });
  });

  it('marks what is unstable', () => {
    expect(v1Unstable.methods['session/fork'].stability).toBe('unstable');
    expect(v1Unstable.methods['session/new'].stability).toBe('stable');
    expect(v1.requestSpec('session/fork')).toBeUndefined();
  });

  it('keeps a name apart that is a request one way and a notification the other', () => {
    expect(v1Unstable.requests['mcp/message'].receiver).toBe('client');
    expect(v1Unstable.notifications['mcp/message'].receiver).toBe('agent');
  });

  it('keeps the methods of proxy chains in tables of their own', () => {
    expect(Object.keys(PROXY_REQUESTS)).toEqual(['proxy/initialize', 'proxy/successor']);
    expect(Object.keys(PROXY_NOTIFICATIONS)).toEqual(['proxy/successor']);
    expect(v1Unstable.requestSpec('proxy/successor')).toBeUndefined();
  });

  it.each(VERSIONS)('files each method under its own name', ({ requests, notifications }) => {
    for (const [name, spec] of Object.entries({ ...requests })) expect(spec.method).toBe(name);
    for (const [name, spec] of Object.entries({ ...notifications })) expect(spec.method).toBe(name);
  });

  it('knows no method that an object happens to have', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(v1.requestSpec(name)).toBeUndefined();
      expect(v1.notificationSpec(name)).toBeUndefined();
    }
  });
});

describe('parseParams and parseResult', () => {
  it('give typed values or throw with the path', () => {
    const { cwd } = v1.parseParams('session/new', { cwd: '/proj', mcpServers: [] });
    expect(cwd).toBe('/proj');
    expect(() => v1.parseParams('session/new', { cwd: 5, mcpServers: [] })).toThrow(ValidationError);
    expect(v1.parseResult('session/prompt', { stopReason: 'end_turn' }).stopReason).toBe('end_turn');
  });

  it('read absent params as an empty object', () => {
    expect(v1.parseParams('logout', undefined)).toEqual({});
    expect(() => v1.parseParams('session/new', undefined)).toThrow('cwd: expected string, got nothing');
  });

  it.each([
    'authenticate',
    'logout',
    'session/load',
    'session/close',
    'session/delete',
    'session/set_mode',
    'fs/write_text_file',
    'terminal/kill',
    'terminal/release',
  ] as const)('read null as the empty result of %s', (method) => {
    expect(v1.parseResult(method, null)).toEqual({});
  });

  it('do not read null as a result that must say something', () => {
    expect(() => v1.parseResult('session/prompt', null)).toThrow('stopReason: expected one of');
  });

  it('use the validators of the chosen version', () => {
    const systemPrompt = { mode: 'append', content: 'not a list' };
    const params = { cwd: '/', mcpServers: [], systemPrompt };
    expect(v1.methods['session/new'].params(params)).toBe(params);
    expect(v1Unstable.methods['session/new'].params(params)).toBe(INVALID);
  });
});
