import type { AuthMethod, McpServer } from '@parley/protocol';
import { v2 } from '@parley/protocol/v2';
import { describe, expect, it } from 'vitest';
import type { Command, ConfigOption } from '../parts.ts';
import {
  authMethodsFromV2,
  authMethodsToV2,
  commandsFromV2,
  commandsToV2,
  configOptionsFromV2,
  configOptionsToV2,
  mcpServersFromV2,
  mcpServersToV2,
} from './index.ts';

const VALUES = [{ value: 'a', name: 'A' }];

describe('the settings of a session in version 2', () => {
  const options: ConfigOption[] = [
    { id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'a', options: VALUES },
    {
      id: 'model',
      name: 'Model',
      type: 'select',
      currentValue: 'a',
      options: [{ group: 'g', name: 'G', options: VALUES }],
    },
    { id: 'fast', name: 'Fast', type: 'boolean', currentValue: true, _meta: { x: 1 } },
  ];
  const commands: Command[] = [
    { name: 'plan', description: 'Plans' },
    { name: 'ask', description: 'Asks', input: { hint: 'what?' }, _meta: { x: 1 } },
    { name: 'stop', description: 'Stops', input: null },
  ];

  it('come back as they were written', () => {
    const written = { configOptions: configOptionsToV2(options), availableCommands: commandsToV2(commands) };
    const parsed = v2.parseResult('session/new', { sessionId: 's', ...written });
    expect(parsed).toEqual({ sessionId: 's', ...written });
    expect(written.configOptions[1]).toMatchObject({ configId: 'model', options: [{ groupId: 'g' }] });
    expect(written.availableCommands[1]).toMatchObject({ type: 'command', input: { type: 'text', hint: 'what?' } });
    expect(configOptionsFromV2(parsed.configOptions ?? [])).toEqual(options);
    expect(commandsFromV2(parsed.availableCommands ?? [])).toEqual(commands);
  });

  it('hold no choice without a value', () => {
    const group = { group: 'g', name: 'G' };
    const select = { id: 'x', name: 'X', type: 'select', currentValue: '' } as const;
    expect(
      configOptionsToV2([
        { ...select, options: [] },
        { ...select, options: [{ ...group, options: [] }] },
      ]),
    ).toEqual([]);
    expect(
      configOptionsToV2([
        {
          ...select,
          options: [
            { ...group, options: [] },
            { ...group, options: VALUES },
          ],
        },
      ]),
    ).toMatchObject([{ options: [{ options: VALUES }] }]);
  });

  it('of a kind that nobody knows are kept', () => {
    const option = { configId: 'x', name: 'X', type: '_slider', max: 5 } as const;
    expect(configOptionsToV2(configOptionsFromV2([option]))).toEqual([option]);
    const command = { type: '_macro', name: 'm', description: 'M', keys: [1] } as const;
    expect(commandsToV2(commandsFromV2([command]))).toEqual([command]);
    const voiced = { type: 'command', name: 'v', description: 'V', input: { type: '_voice', hz: 1 } } as const;
    expect(commandsToV2(commandsFromV2([voiced]))).toMatchObject([voiced]);
  });
});

describe('the ways to log in to an agent of version 2', () => {
  it('come back as they were written', () => {
    const methods: AuthMethod[] = [
      { id: 'key', name: 'API key', description: 'By environment' },
      { id: 'tui', name: 'Terminal', type: 'terminal', args: ['login'], env: { A: '1', B: '2' } },
    ];
    const written = authMethodsToV2(methods);
    const answer = { protocolVersion: 2, info: { name: 'a', version: '1' }, capabilities: {}, authMethods: written };
    expect(v2.parseResult('initialize', answer)).toEqual(answer);
    expect(written).toMatchObject([
      { type: 'agent', methodId: 'key' },
      {
        type: 'terminal',
        methodId: 'tui',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      },
    ]);
    expect(authMethodsFromV2(written)).toEqual(methods);
  });

  it('of a kind that nobody knows are kept', () => {
    const method = { type: '_badge', methodId: 'b', name: 'Badge', reader: 1 } as const;
    expect(authMethodsToV2(authMethodsFromV2([method]))).toEqual([method]);
  });
});

describe('MCP servers in version 2', () => {
  const stdio: McpServer = { name: 'a', command: '/bin/a', args: ['x'], env: [{ name: 'A', value: '1' }] };
  const http: McpServer = { type: 'http', name: 'b', url: 'https://example.com/', headers: [] };

  it('come back as they were written, but for those over SSE', () => {
    const written = mcpServersToV2([stdio, http, { type: 'sse', name: 'c', url: 'https://example.com', headers: [] }]);
    const params = { cwd: '/w', mcpServers: written };
    expect(v2.parseParams('session/new', params)).toEqual(params);
    expect(written[0]).toMatchObject({ type: 'stdio', name: 'a' });
    expect(mcpServersFromV2(written)).toEqual([stdio, http]);
  });

  it('may leave lists out, and be of a kind that nobody knows', () => {
    const own = { type: '_pipe', name: 'p', fd: 3 } as const;
    expect(
      mcpServersFromV2([
        { type: 'stdio', name: 'a', command: '/bin/a' },
        { type: 'http', name: 'b', url: 'https://example.com/' },
        own,
      ]),
    ).toEqual([{ name: 'a', command: '/bin/a', args: [], env: [] }, http, own]);
  });
});
