import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

const config = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(parley.home, 'config/parley/config.json'), 'utf8'));

describe('parley agents', () => {
  it('lists our own agent first, ready and as the default', async () => {
    const { code, stdout } = await parley.run(['agents', 'list', '--json']);
    const { agents, defaultAgent } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(defaultAgent).toBe('parley');
    expect(agents[0]).toMatchObject({ name: 'parley', from: 'own', isThere: true });
  });

  it('lists what is on the PATH, and what is not with how to get it', async () => {
    const bin = join(parley.home, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'gemini'), '#!/bin/sh\n');
    chmodSync(join(bin, 'gemini'), 0o755);
    const { stdout } = await parley.run(['agents', 'list', '--all', '--json'], { env: { PATH: bin } });
    const { agents } = JSON.parse(stdout) as { agents: { name: string }[] };
    const named = (name: string) => agents.find((agent) => agent.name === name);
    expect(named('gemini')).toMatchObject({ isThere: true, command: 'gemini --acp', from: 'built in' });
    expect(named('claude')).toMatchObject({
      isThere: false,
      install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    });
  });

  it('adds an agent by command, shows it, uses it by name, and removes it', async () => {
    const words = parley.agentWords({
      on: {
        'session/prompt': [
          { do: 'tell', what: 'env:COLOUR' },
          { do: 'respond', result: { stopReason: 'end_turn' } },
        ],
      },
    });
    const added = await parley.run(['agents', 'add', 'mine', '--env', 'COLOUR=blue', '--default', '--', ...words]);
    expect(added.code, added.stderr).toBe(0);
    expect(config()).toMatchObject({
      defaultAgent: 'mine',
      agents: { mine: { command: words[0], env: { COLOUR: 'blue' } } },
    });

    const shown = JSON.parse((await parley.run(['agents', 'show', 'mine', '--connect', '--json'])).stdout);
    expect(shown).toMatchObject({ name: 'mine', origin: 'configured', protocolVersion: 1, env: ['COLOUR'] });

    expect((await parley.run(['exec', '--format', 'quiet', 'Hi'])).stdout).toBe('blue\n');
    expect((await parley.run(['mine', 'exec', '--format', 'quiet', 'Hi'])).stdout).toBe('blue\n');

    expect((await parley.run(['agents', 'remove', 'mine'])).code).toBe(0);
    expect(config()).toEqual({ agents: {} });
    const again = await parley.run(['agents', 'remove', 'mine']);
    expect(again.code).toBe(2);
  });

  it('adds an agent of the registry, which then runs through npx', async () => {
    const { code } = await parley.run(['agents', 'add', 'claude']);
    expect(code).toBe(0);
    expect(config()).toMatchObject({
      agents: { claude: { command: 'npx', args: ['-y', '@agentclientprotocol/claude-agent-acp'] } },
    });
    await parley.run(['agents', 'remove', 'claude']);
  });

  it('reads a newer registry from a file, and leaves out entries that could do harm', async () => {
    const registry = {
      version: '1.0.0',
      agents: [
        {
          id: 'nova',
          name: 'Nova',
          version: '1',
          distribution: { npx: { package: 'nova-agent', cmd: 'nova', args: ['acp'] } },
        },
        { id: 'evil', name: 'Evil', distribution: { npx: { package: '--call=rm -rf /' } } },
        { id: '../up', name: 'Up', distribution: {} },
        'nonsense',
      ],
    };
    writeFileSync(join(parley.folder, 'registry.json'), JSON.stringify(registry));
    expect((await parley.run(['agents', 'update', '--from', 'registry.json'])).stdout).toBe(
      '1 agents in the registry\n',
    );
    await parley.run(['agents', 'add', 'nova']);
    expect(config()).toMatchObject({ agents: { nova: { args: ['-y', '--package', 'nova-agent', 'nova', 'acp'] } } });
    await parley.run(['agents', 'remove', 'nova']);
    writeFileSync(join(parley.folder, 'registry.json'), 'nonsense');
    expect((await parley.run(['agents', 'update', '--from', 'registry.json'])).code).toBe(2);
  });

  it('says how to get an agent that is known but not there', async () => {
    const { code, stderr } = await parley.run(['exec', '--agent', 'gemini', 'Hi'], { env: { PATH: '/nowhere' } });
    expect(code).toBe(6);
    expect(stderr).toContain('npm install -g @google/gemini-cli');
    expect(stderr).toContain('parley agents add gemini');
  });

  it('finds the agents that other clients have configured', async () => {
    const words = parley.agentWords({
      on: {
        'session/prompt': [
          { do: 'say', text: 'from zed' },
          { do: 'respond', result: { stopReason: 'end_turn' } },
        ],
      },
    });
    mkdirSync(join(parley.home, 'config/zed'), { recursive: true });
    writeFileSync(
      join(parley.home, 'config/zed/settings.json'),
      `{ // with a comment\n "agent_servers": { "zeddy": { "command": ${JSON.stringify(words[0])}, "args": ${JSON.stringify(words.slice(1))} } } }`,
    );
    expect((await parley.run(['exec', '--agent', 'zeddy', '--format', 'quiet', 'Hi'])).stdout).toBe('from zed\n');
  });
});
