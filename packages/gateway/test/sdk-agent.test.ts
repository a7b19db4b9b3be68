import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnAgent } from '@parley/client/node';
import { buildSdkAgent } from '@parley/testing/sdk-agent';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectTo, host } from './support/hosting.ts';

let built: Awaited<ReturnType<typeof buildSdkAgent>> | undefined;
beforeAll(async () => {
  built = await buildSdkAgent();
});
afterAll(() => built?.remove());

const sdkAgent = () => spawnAgent(process.execPath, [built?.path ?? '']);

describe('an agent on the official SDK, hosted', () => {
  it('shows everything, and uses files, terminals, permissions and forms of the client that prompts it', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'gateway-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    await writeFile(join(cwd, 'in.txt'), 'read me');
    const { createNodeTerminals, createNodeWorkspace } = await import('@parley/client/node');
    const connection = await connectTo(host(sdkAgent()), {
      workspace: createNodeWorkspace(),
      terminals: createNodeTerminals(),
      permissions: { ask: () => 'allow' },
      elicitation: { form: () => ({ action: 'accept', content: { name: 'Ada' } }) },
    });
    const session = await connection.newSession({ cwd });
    const shown = await session.prompt('everything').result;
    expect(shown.text).toBe('Hello from the SDK');
    expect(shown.toolCalls).toMatchObject([{ title: 'Edit', status: 'completed' }]);
    expect(session.transcript).toMatchObject({ title: 'A title', commands: [{ name: 'plan' }] });
    const used = await session.prompt('use the client').result;
    expect(JSON.parse(used.text)).toEqual({
      read: 'read me',
      permission: { outcome: 'selected', optionId: 'yes' },
      terminal: { output: 'hi\n', exitCode: 0 },
      answer: { action: 'accept', content: { name: 'Ada' } },
    });
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe('written');
    await session.setMode('code');
    await session.setOption('model', 'large');
    expect(session.transcript.mode?.currentModeId).toBe('code');
    const waiting = session.prompt('wait');
    for await (const event of waiting) if (event.type === 'text') break;
    await waiting.cancel();
    expect((await waiting.result).stopReason).toBe('cancelled');
  }, 60_000);
});
