import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

const fails = (message: string, data: object): string =>
  parley.agent({ on: { 'session/prompt': [{ do: 'fail', code: -32603, message, data }] } });

describe('parley exec', () => {
  it('says that a model wants another key in one plain sentence, with the exit code of a login', async () => {
    const agent = fails('The model refused the key in OPENAI_API_KEY.', { kind: 'auth' });
    const { code, stderr } = await parley.run(['exec', '--agent', agent, 'Hi']);
    expect(code).toBe(7);
    expect(stderr.split('\n')[0]).toBe('parley: The model refused the key in OPENAI_API_KEY.');
    expect(stderr).not.toContain('Sent last');
  });

  it('tells what an agent says beside its error', async () => {
    const agent = fails('Internal error', { details: 'the model said no' });
    const { code, stderr } = await parley.run(['exec', '--agent', agent, 'Hi']);
    expect(code).toBe(1);
    expect(stderr).toContain('answered with an error: Internal error (-32603): the model said no');
  });

  it('tells a notice with its body', async () => {
    const file = join(parley.folder, 'mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { notes: { command: '/nowhere/notes-server', args: [] } } }));
    const { stdout } = await parley.run(['exec', '--mcp-config', file, 'hello'], { env: { PARLEY_MODEL: 'offline' } });
    expect(stdout).toMatch(/^\[notice\] [^:]+: .*notes/m);
  });
});
