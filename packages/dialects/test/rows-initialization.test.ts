import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { openBorder } from './border.ts';

const everything = {
  protocolVersion: 1,
  agentInfo: { name: 'a', version: '1' },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: false },
    sessionCapabilities: { list: {} },
    auth: {},
  },
  authMethods: [{ id: 'login', name: 'Log in' }],
};

const clientParams = {
  protocolVersion: 1,
  clientInfo: { name: 'c', version: '1' },
  clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true, auth: { terminal: true } },
};

describe('initialization, capabilities and authentication', () => {
  it('D1 reads empty client capabilities as none, and sends a harness agent all of ours', () => {
    const read = openBorder('harness').readParams('initialize', { protocolVersion: 1, clientCapabilities: {} });
    expect(v1.parseParams('initialize', read).clientCapabilities).toMatchObject({ terminal: false });
    expect(openBorder('harness').writeParams('initialize', clientParams)).toEqual(clientParams);
  });

  it('D2 tells a harness client two capabilities, and gives the others back to those who keep _meta', () => {
    const written = openBorder('harness').writeResult('initialize', everything) as Record<string, unknown>;
    expect(written.agentCapabilities).toEqual({ loadSession: true, promptCapabilities: { image: true } });
    expect(openBorder('harness').readResult('initialize', written)).toEqual(everything);
  });

  it('D3 leaves an empty list of authentication methods out for harness, and keeps a full one', () => {
    const border = openBorder('harness');
    expect(border.writeResult('initialize', { protocolVersion: 1, authMethods: [] })).not.toHaveProperty('authMethods');
    expect(border.writeResult('initialize', everything)).toHaveProperty('authMethods', everything.authMethods);
    expect(v1.parseResult('initialize', border.readResult('initialize', { protocolVersion: 1 })).authMethods).toEqual(
      [],
    );
  });

  it('D4 introduces nobody to an overview peer', () => {
    const border = openBorder('overview');
    expect(border.writeParams('initialize', clientParams)).not.toHaveProperty('clientInfo');
    expect(border.writeResult('initialize', everything)).not.toHaveProperty('agentInfo');
  });

  it('D5 offers an overview agent files only', () => {
    const written = openBorder('overview').writeParams('initialize', clientParams);
    expect(written.clientCapabilities).toEqual({ fs: { readTextFile: true, writeTextFile: true } });
    expect(v1.parseParams('initialize', written).clientCapabilities?.terminal).toBe(false);
  });

  it('D6 tells an overview client what it knows: loading and prompt content', () => {
    const written = openBorder('overview').writeResult('initialize', everything) as typeof everything;
    expect(Object.keys(written.agentCapabilities)).toEqual(['loadSession', 'promptCapabilities']);
    const read = v1.parseResult('initialize', openBorder('overview').readResult('initialize', written));
    expect(read.agentCapabilities?.mcpCapabilities).toMatchObject({ http: false, sse: false });
  });

  it('D7 always sends a go agent client capabilities, and does without them in reading', () => {
    expect(openBorder('go').writeParams('initialize', { protocolVersion: 1 })).toEqual({
      protocolVersion: 1,
      clientCapabilities: {},
    });
    const read = openBorder('go').readParams('initialize', { protocolVersion: 1 });
    expect(v1.parseParams('initialize', read).protocolVersion).toBe(1);
  });

  it('D8 has one boolean for terminals in go, as ACP has', () => {
    const read = openBorder('go').readParams('initialize', {
      protocolVersion: 1,
      clientCapabilities: { terminal: true },
    });
    expect(read.clientCapabilities).toEqual({ terminal: true });
    expect(openBorder('go').writeParams('initialize', read)).toEqual(read);
  });

  it('D9 turns the list of prompt content of go into flags and back, unknown words included', () => {
    const border = openBorder('go');
    const read = border.readResult('initialize', {
      protocolVersion: 1,
      agentCapabilities: { promptCapabilities: { content: ['text', 'image', 'video'] } },
    });
    expect(read.agentCapabilities).toMatchObject({ promptCapabilities: { image: true } });
    expect(read.agentCapabilities).not.toHaveProperty('promptCapabilities.audio');
    expect(border.writeResult('initialize', read)).toMatchObject({
      agentCapabilities: { promptCapabilities: { content: ['text', 'image', 'video'] } },
    });
    expect(border.writeResult('initialize', everything)).toMatchObject({
      agentCapabilities: { promptCapabilities: { content: ['text', 'image', 'audio', 'embeddedContext'] } },
    });
  });

  it('D10 finds the MCP transports of go under another key and other names', () => {
    const border = openBorder('go');
    const foreign = { protocolVersion: 1, agentCapabilities: { mcp: { httpTransport: true } } };
    const read = border.readResult('initialize', foreign);
    expect(read.agentCapabilities).toEqual({ mcpCapabilities: { http: true } });
    expect(border.writeResult('initialize', read)).toEqual(foreign);
  });

  it('D11 leaves authentication methods out for go, and gives them back to those who keep _meta', () => {
    const written = openBorder('go').writeResult('initialize', everything);
    expect(written).not.toHaveProperty('authMethods');
    expect(openBorder('go').readResult('initialize', written)).toHaveProperty('authMethods', everything.authMethods);
  });

  it('D12 takes "capabilities" for the capabilities of the sender, but not in ACP v2', () => {
    const border = openBorder('go');
    const capabilities = { fs: { readTextFile: true, writeTextFile: false } };
    expect(border.readParams('initialize', { protocolVersion: 1, capabilities }).clientCapabilities).toEqual(
      capabilities,
    );
    expect(border.readParams('initialize', { protocolVersion: 2, capabilities })).toHaveProperty('capabilities');
    const result = { protocolVersion: 1, capabilities: { loadSession: true } };
    expect(border.readResult('initialize', result).agentCapabilities).toEqual({ loadSession: true });
    expect(border.writeParams('initialize', clientParams)).not.toHaveProperty('capabilities');
  });

  it('D13 lets an elephant agent answer version 1 to a client that asked for more', () => {
    const read = openBorder('elephant').readResult('initialize', { protocolVersion: 1 }, { protocolVersion: 2 });
    expect(read).toEqual({ protocolVersion: 1 });
  });

  it('D14 keeps the authentication methods for elephant, empty or not', () => {
    const border = openBorder('elephant');
    expect(border.writeResult('initialize', everything)).toEqual(everything);
    expect(border.readResult('initialize', { protocolVersion: 1, authMethods: [] })).toHaveProperty('authMethods', []);
    expect(border.writeResult('authenticate', {})).toEqual({});
  });

  it('D14 accepts every login of an elephant client, whatever our agent lists and answers', () => {
    const border = openBorder('elephant');
    border.writeResult('initialize', { protocolVersion: 1, authMethods: [{ id: 'key', name: 'Key' }] });
    for (const methodId of ['any', 'key']) {
      const login = { jsonrpc: '2.0', id: methodId, method: 'authenticate', params: { methodId } };
      expect(border.read(login)).toEqual([login]);
      const error = { code: -32602, message: 'Unknown authentication method' };
      expect(border.write({ jsonrpc: '2.0', id: methodId, error })).toEqual([
        { jsonrpc: '2.0', id: methodId, result: {} },
      ]);
    }
  });

  it('D15 reads the five terminal flags of pharo as one, and keeps a part of them for those who look', () => {
    const all = { create: true, output: true, waitForExit: true, kill: true, release: true };
    const border = openBorder('pharo');
    const whole = border.readParams('initialize', { protocolVersion: 1, clientCapabilities: { terminal: all } });
    expect(whole.clientCapabilities).toEqual({ terminal: true });
    expect(border.writeParams('initialize', whole).clientCapabilities).toEqual({ terminal: all });
    const part = { create: true, output: true };
    const some = border.readParams('initialize', { protocolVersion: 1, clientCapabilities: { terminal: part } });
    expect(some.clientCapabilities).toEqual({ terminal: false, _meta: { dialect: { terminal: part } } });
    expect(border.writeParams('initialize', some).clientCapabilities).toEqual({ terminal: part });
    const none = border.writeParams('initialize', { protocolVersion: 1, clientCapabilities: { terminal: false } });
    expect(none.clientCapabilities).toEqual({});
  });

  it('D16 turns the list of MCP transports of pharo into flags and back, and notes a missing stdio', () => {
    const border = openBorder('pharo');
    const foreign = (supportedTransports: string[]) => ({
      protocolVersion: 1,
      agentCapabilities: { mcpCapabilities: { supportedTransports } },
    });
    const read = border.readResult('initialize', foreign(['stdio', 'http']));
    expect(read.agentCapabilities).toEqual({ mcpCapabilities: { http: true } });
    expect(border.writeResult('initialize', read)).toMatchObject(foreign(['stdio', 'http']));
    expect(border.notes).toEqual([]);
    const odd = border.readResult('initialize', foreign(['sse', 'carrier-pigeon']));
    expect(odd.agentCapabilities).toMatchObject({ mcpCapabilities: { sse: true } });
    expect(border.notes.map(({ row }) => row)).toEqual(['D16']);
    expect(border.writeResult('initialize', odd)).toMatchObject(foreign(['sse', 'carrier-pigeon']));
  });

  it('D17 gives each session the modes that a pharo agent told once, and tells ours from the configuration', () => {
    const border = openBorder('pharo');
    const sessionModes = [
      { modeId: 'code', title: 'Code', description: 'Writes' },
      { modeId: 'ask', title: 'Ask' },
    ];
    const read = border.readResult('initialize', { protocolVersion: 1, agentCapabilities: { sessionModes } });
    expect(read.agentCapabilities).toEqual({ _meta: { dialect: { sessionModes } } });
    const availableModes = [
      { id: 'code', name: 'Code', description: 'Writes' },
      { id: 'ask', name: 'Ask' },
    ];
    const first = border.readResult('session/new', { sessionId: 's' }, { cwd: '/w', mcpServers: [] });
    expect(first.modes).toEqual({ currentModeId: 'code', availableModes });
    border.readUpdate({ type: 'current_mode_update', modeId: 'ask' });
    const loaded = border.readResult('session/load', null, { sessionId: 's', cwd: '/w', mcpServers: [] });
    expect(loaded.modes).toEqual({ currentModeId: 'ask', availableModes });
    expect(border.writeResult('initialize', read)).toMatchObject({ agentCapabilities: { sessionModes } });

    const ours = openBorder('pharo', {
      modes: [
        { id: 'code', name: 'Code', description: 'Writes' },
        { id: 'ask', name: 'Ask' },
      ],
    });
    expect(ours.writeResult('initialize', everything)).toMatchObject({ agentCapabilities: { sessionModes } });
  });

  it('D18 has other names for everything about authentication methods in pharo, and none that open a terminal', () => {
    const border = openBorder('pharo');
    const authenticationMethods = [{ methodId: 'key', title: 'API key', description: 'A key' }];
    const read = border.readResult('initialize', { protocolVersion: 1, authenticationMethods });
    expect(read.authMethods).toEqual([{ id: 'key', name: 'API key', description: 'A key' }]);
    expect(border.writeResult('initialize', read)).toEqual({ protocolVersion: 1, authenticationMethods });
    const terminal = { type: 'terminal', id: 't', name: 'Terminal' };
    expect(border.writeResult('initialize', { protocolVersion: 1, authMethods: [terminal] })).toMatchObject({
      authenticationMethods: [],
    });
  });

  it('D19 keeps the credentials of pharo out of canonical messages, and hands them over and takes them aside', () => {
    const taken: unknown[] = [];
    const border = openBorder('pharo', {
      takeCredentials: (methodId, credentials) => taken.push([methodId, credentials]),
      giveCredentials: () => ({ apiKey: 'k' }),
    });
    const foreign = { methodId: 'key', credentials: { apiKey: 'k' } };
    expect(border.readParams('authenticate', foreign)).toEqual({ methodId: 'key' });
    expect(taken).toEqual([['key', { apiKey: 'k' }]]);
    expect(border.writeParams('authenticate', { methodId: 'key' })).toEqual(foreign);

    const deaf = openBorder('pharo');
    expect(JSON.stringify(deaf.readParams('authenticate', foreign))).not.toContain('apiKey');
    expect(deaf.notes).toEqual([{ row: 'D19', text: expect.not.stringContaining('apiKey') }]);
    expect(deaf.writeParams('authenticate', { methodId: 'key' })).toEqual({ methodId: 'key' });
  });

  it.each(['overview', 'pharo'] as const)('D20 answers authenticate with null in %s', (dialect) => {
    const border = openBorder(dialect);
    expect(border.readResult('authenticate', null)).toEqual({});
    expect(border.writeResult('authenticate', {})).toBeNull();
  });

  it('D21 tells in pharo whether the secret or the method was wrong', () => {
    const border = openBorder('pharo');
    expect(border.readError('authenticate', { code: -32001, message: 'm' })).toMatchObject({
      code: -32000,
      data: { kind: 'auth_failed' },
    });
    expect(border.readError('authenticate', { code: -32002, message: 'm' })).toMatchObject({
      code: -32602,
      data: { kind: 'invalid_auth_method' },
    });
    expect(border.writeError('authenticate', { code: -32602, message: 'm' })).toMatchObject({ code: -32002 });
  });

  it.each(['D22 pharo', 'D23 overview'])('%s hears of another version than it asked for as it is', (row) => {
    const border = openBorder(row.split(' ')[1] as 'pharo');
    const params = { protocolVersion: 7 };
    expect(border.readResult('initialize', { protocolVersion: 1, authMethods: [] }, params)).toMatchObject({
      protocolVersion: 1,
    });
    expect(border.writeResult('initialize', { protocolVersion: 1 }, params)).toMatchObject({ protocolVersion: 1 });
  });

  it('D24 allows another try after a failed authentication, unless the configuration says to hang up', async () => {
    const { writeMessage } = await import('@parley/dialects');
    const answerTo = (closeAfterFailedAuthentication: boolean) => {
      const border = openBorder('pharo', { closeAfterFailedAuthentication });
      border.read({ jsonrpc: '2.0', id: 1, method: 'authenticate', params: { methodId: 'key' } });
      return writeMessage({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'No' } }, border.state);
    };
    expect(answerTo(false)).toMatchObject({ toPeer: [{ error: { code: -32001 } }], close: false });
    expect(answerTo(true)).toMatchObject({ toPeer: [{ error: { code: -32001 } }], close: true });
  });
});
