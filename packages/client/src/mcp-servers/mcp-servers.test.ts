import { describe, expect, it } from 'vitest';
import { expandVariables } from './expand-variables.ts';
import { selectMcpServers, toMcpServers } from './mcp-servers.ts';

/** A variable as configuration files write it. */
const ref = (name: string): string => `$\{${name}}`;

describe('MCP servers', () => {
  it('of a configuration file take the shape that ACP wants', () => {
    expect(
      toMcpServers({
        a: { command: '/a', args: ['x'], env: { K: 'v' } },
        b: { type: 'stdio', command: '/b' },
        c: { url: 'https://c' },
        d: { type: 'sse', url: 'https://d', headers: { H: '1' } },
        e: { type: 'streamable-http', url: 'https://e' },
      }),
    ).toEqual([
      { name: 'a', command: '/a', args: ['x'], env: [{ name: 'K', value: 'v' }] },
      { name: 'b', command: '/b', args: [], env: [] },
      { type: 'http', name: 'c', url: 'https://c', headers: [] },
      { type: 'sse', name: 'd', url: 'https://d', headers: [{ name: 'H', value: '1' }] },
      { type: 'http', name: 'e', url: 'https://e', headers: [] },
    ]);
  });

  it('without command and URL are an error that names them', () => {
    expect(() => toMcpServers({ broken: { type: 'http' } })).toThrow(/"broken" of type "http" needs/);
    expect(() => toMcpServers({ broken: {} })).toThrow(/"broken" needs/);
  });

  it('are parted by what the agent can use', () => {
    const servers = { a: { command: '/a' }, b: { url: 'https://b' }, c: { type: 'sse', url: 'https://c' } };
    expect(selectMcpServers(servers, { http: true }).accepted.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(selectMcpServers(servers, undefined).refused.map(({ server }) => server.name)).toEqual(['b', 'c']);
  });

  it('have their variables filled in', () => {
    const missing: string[] = [];
    const server = {
      command: `${ref('HOME')}/bin`,
      args: [`--key=${ref('KEY:-none')}`],
      env: { T: ref('TOKEN') },
      url: `https://${ref('HOST')}/`,
    };
    expect(expandVariables(server, { HOME: '/h', TOKEN: 't' }, (name) => missing.push(name))).toEqual({
      command: '/h/bin',
      args: ['--key=none'],
      env: { T: 't' },
      url: 'https:///',
    });
    expect(missing).toEqual(['HOST']);
  });
});
