import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

describe('what a project brings for our own agent', () => {
  it('is used once the person trusts it: skills reach the model, and hooks hear of its calls', async () => {
    const cwd = join(parley.home, 'cloned');
    mkdirSync(join(cwd, '.claude', 'skills', 'release'), { recursive: true });
    writeFileSync(join(cwd, '.claude/skills/release/SKILL.md'), '---\ndescription: How to release\n---\nTag it.');
    const hook = { command: 'echo Not here.; exit 2', tools: ['list_files'] };
    writeFileSync(join(cwd, '.parleyrc.json'), JSON.stringify({ hooks: { beforeTool: [hook] } }));
    const server = await startFakeModelServer();
    onTestFinished(() => server.close());
    const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model' };
    const run = async (): Promise<string> => {
      server.add({ events: [{ type: 'tool_call', name: 'list_files', input: {} }] }, 'Done.');
      expect(await parley.run(['exec', 'go'], { env, cwd })).toMatchObject({ code: 0 });
      return server.requests
        .slice(-2)
        .map(({ body }) => JSON.stringify(body))
        .join('\n');
    };
    const before = await run();
    expect(before).not.toContain('How to release');
    expect(before).not.toContain('Not here.');
    const trusted = await parley.run(['config', 'trust'], { cwd });
    expect(trusted.stdout).toContain('skill release: How to release');
    const after = await run();
    expect(after).toContain('- release: How to release');
    expect(after).toContain('A hook blocked it: Not here.');
  }, 60_000);
});
