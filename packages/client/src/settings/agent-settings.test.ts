import { describe, expect, it } from 'vitest';
import { readAgentSettings } from './agent-settings.ts';

const addresses = (settings: unknown): unknown[] =>
  readAgentSettings(settings, 'x').agents.map(({ name, address }) => [name, address]);

describe('agents in settings', () => {
  it('of Zed and JetBrains are read', () => {
    expect(
      addresses({
        agent_servers: {
          Gemini: { command: 'gemini', args: ['--acp'], env: { A: 'b', N: 1 } },
          Nested: { command: { path: '/bin/x', args: ['y'], env: { C: 'd' } } },
        },
      }),
    ).toEqual([
      ['Gemini', { kind: 'command', command: 'gemini', args: ['--acp'], env: { A: 'b', N: '1' } }],
      ['Nested', { kind: 'command', command: '/bin/x', args: ['y'], env: { C: 'd' } }],
    ]);
  });

  it('of acpx are read, with the default', () => {
    const settings = {
      defaultAgent: 'mine',
      agents: {
        mine: { argv: ['node', 'agent.js'] },
        other: { command: 'codex', args: ['acp'], timeout: 5, cwd: '/w' },
      },
    };
    expect(addresses(settings)).toEqual([
      ['mine', { kind: 'command', command: 'node', args: ['agent.js'] }],
      ['other', { kind: 'command', command: 'codex', args: ['acp'], cwd: '/w' }],
    ]);
    expect(readAgentSettings(settings, 'x')).toMatchObject({ defaultAgent: 'mine', agents: [{}, { timeoutMs: 5000 }] });
  });

  it('of acp-ui are read, those on the network too', () => {
    expect(
      addresses({
        agents: {
          remote: { transport: 'websocket', url: 'wss://example.com/acp', headers: { Authorization: 'Bearer x' } },
          http: { url: 'https://example.com' },
        },
      }),
    ).toEqual([
      ['remote', { kind: 'websocket', url: 'wss://example.com/acp', headers: { Authorization: 'Bearer x' } }],
      ['http', { kind: 'http', url: 'https://example.com' }],
    ]);
  });

  it('that make no sense are problems, and do not keep the others from being read', () => {
    const { agents, problems } = readAgentSettings(
      {
        agent_servers: {
          good: { command: 'x' },
          empty: {},
          odd: 7,
          listed: { type: 'registry' },
          bad: { url: 'not a url' },
        },
      },
      'settings.json',
    );
    expect(agents.map(({ name }) => name)).toEqual(['good']);
    expect(problems.map(({ name }) => name)).toEqual(['empty', 'odd', 'listed', 'bad']);
    expect(readAgentSettings(null, 'x')).toEqual({ agents: [], problems: [] });
    expect(readAgentSettings([1], 'x').agents).toEqual([]);
  });
});
