import {
  DIALECT_WIRES,
  detectByEndpoint,
  detectByFirstBytes,
  elephantClientId,
  elephantEndpoints,
  fitsPostOnly,
  LaunchConfigError,
  parseLaunchConfig,
} from '@parley/dialects';
import { describe, expect, it } from 'vitest';

describe('wires', () => {
  it('D124 knows an elephant by a Content-Length in its first bytes', () => {
    expect(detectByFirstBytes('Content-Length: 57\r\n\r\n{"jsonrpc"')).toBe('elephant');
    expect(detectByFirstBytes('content-length:57')).toBe('elephant');
    expect(detectByFirstBytes('{"jsonrpc":"2.0"}\n')).toBeUndefined();
    expect(DIALECT_WIRES.elephant.framings).toEqual(['ndjson', 'content-length']);
  });

  it('D125 knows the two addresses of elephant, and who a request comes from', () => {
    const { rpc, events } = elephantEndpoints('http://127.0.0.1:9000/ignored', 'a b/c');
    expect(rpc).toBe('http://127.0.0.1:9000/acp/rpc?client_id=a%20b%2Fc');
    expect(events).toBe('http://127.0.0.1:9000/acp/sse?client_id=a%20b%2Fc');
    expect([rpc, events].map(elephantClientId)).toEqual(['a b/c', 'a b/c']);
    expect([rpc, events].map(detectByEndpoint)).toEqual(['elephant', 'elephant']);
    expect(elephantClientId('http://x/acp/rpc')).toBeUndefined();
    expect(elephantClientId('http://x/acp/rpc?client_id=%')).toBeUndefined();
    expect(detectByEndpoint('https://x.test/acp')).toBeUndefined();
    expect(detectByEndpoint('nonsense')).toBeUndefined();
  });

  it('D126 knows what can travel where pharo only posts', () => {
    expect(fitsPostOnly({ id: 1, method: 'session/prompt' }, 'client')).toBe(true);
    expect(fitsPostOnly({ method: 'session/cancel' }, 'client')).toBe(true);
    expect(fitsPostOnly({ id: 1 }, 'agent')).toBe(true);
    expect(fitsPostOnly({ method: 'session/update' }, 'agent')).toBe(false);
    expect(fitsPostOnly({ id: 1, method: 'session/request_permission' }, 'agent')).toBe(false);
    expect(DIALECT_WIRES.pharo.network).toContain('websocket');
  });

  it('D127 reads how an agent is reached, with maps or lists, tagged or not', () => {
    const stdio = { kind: 'stdio', command: '/bin/agent', args: ['-v'], env: [{ name: 'A', value: 'b' }] };
    expect(parseLaunchConfig({ transport: 'stdio', command: '/bin/agent', args: ['-v'], env: { A: 'b' } })).toEqual(
      stdio,
    );
    expect(parseLaunchConfig({ command: '/bin/agent', args: ['-v'], env: [{ name: 'A', value: 'b' }] })).toEqual(stdio);
    expect(parseLaunchConfig({ command: '/bin/agent' })).toEqual({ ...stdio, args: [], env: [] });
    const headers = [{ name: 'H', value: 'v' }];
    expect(parseLaunchConfig({ transport: 'http', url: 'https://x.test/', headers: { H: 'v' } })).toEqual({
      kind: 'http',
      url: 'https://x.test/',
      headers,
    });
    expect(parseLaunchConfig({ url: 'wss://x.test/' })).toMatchObject({ kind: 'websocket' });
    expect(parseLaunchConfig({ transport: 'sse', url: 'https://x.test/' })).toMatchObject({ kind: 'sse' });
    for (const bad of [null, {}, { transport: 'stdio' }, { transport: 'http', url: '/x' }, { transport: 'pigeon' }]) {
      expect(() => parseLaunchConfig(bad)).toThrow(LaunchConfigError);
    }
  });

  it.each(['harness', 'overview', 'go'] as const)(
    'D128 has lines of JSON on a pipe and nothing else for %s',
    (dialect) => {
      expect(DIALECT_WIRES[dialect]).toEqual({ framings: ['ndjson'], network: [] });
    },
  );
});
