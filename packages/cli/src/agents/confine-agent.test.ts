import { expect, it, onTestFinished, vi } from 'vitest';
import { confineAgent } from './confine-agent.ts';
import type { ResolvedAgent } from './resolved-agent.ts';

it('does not start an agent with a list of hosts on a system without bubblewrap', async () => {
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
  onTestFinished(() => platform.mockRestore());
  const address = { kind: 'command', command: 'other', args: [] } as const;
  const agent: ResolvedAgent = {
    ...{ name: 'other', title: 'other', origin: 'configured', address },
    sandbox: { network: ['api.example.com'] },
  };
  await expect(confineAgent(agent, address, { cwd: '/', env: {} })).rejects.toMatchObject({
    code: 'sandbox_missing',
    message: expect.stringContaining('A list of hosts needs Linux with bubblewrap'),
    next: ['set agents.other.sandbox.network to "on" or "off"'],
  });
});
