import { createConnection } from '@parley/jsonrpc';
import type { NewSessionResponse, SessionUpdate } from '@parley/protocol/v2';
import type { Reply } from '@parley/testing/fake-model-server';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCodingAgent } from '../src/index.ts';
import { makeProject, startModel } from './in-process.ts';

/** The coding agent, and a client of version 2, which has no files and no terminals for it. */
async function open(script: readonly Reply[]) {
  const { server, env } = await startModel({ script });
  const project = await makeProject({ 'a.txt': 'before' });
  const built = createCodingAgent({ env, onDiagnostic: () => {}, discover: { localServers: [] } });
  const [near, far] = createMemoryPair();
  const served = built.serve(far);
  const connection = createConnection(near);
  onTestFinished(async () => {
    await connection.close();
    await served;
  });
  const updates: SessionUpdate[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification('session/update', (params) => {
    updates.push((params as { update: SessionUpdate }).update);
    for (const look of waiting) look();
  });
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  await connection.request('initialize', { protocolVersion: 2, info: { name: 'test', version: '1' } });
  const opened = await connection.request<NewSessionResponse>('session/new', { cwd: project.path });
  const { sessionId } = opened;
  await connection.request('session/set_config_option', {
    sessionId,
    configId: 'permissions',
    type: 'id',
    value: 'bypassPermissions',
  });
  const of = (kind: string) => updates.filter(({ sessionUpdate }) => sessionUpdate === kind);
  const ends = () => of('state_update').filter((update) => 'stopReason' in update);
  return {
    opened,
    server,
    project,
    request: (method: string, params: object) => connection.request(method, { sessionId, ...params }),
    prompt: (text: string) => connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    of,
    until,
    untilEnd: (count = 1) => until(() => ends().length >= count),
    ends,
    output: () =>
      (of('terminal_output_chunk') as unknown as { data: string }[])
        .map(({ data }) => Buffer.from(data, 'base64').toString())
        .join(''),
  };
}

const call = (name: string, input: object): Reply => ({ events: [{ type: 'tool_call', name, input }] });
const say = (text: string): Reply => ({ events: [{ type: 'text', text }] });

describe('the coding agent and a client of version 2', () => {
  it('has its modes among its options, and edits files by itself', async () => {
    const scene = await open([call('write_file', { path: 'a.txt', content: 'after' }), say('Done.')]);
    expect(scene.opened.configOptions).toContainEqual(expect.objectContaining({ configId: 'mode', category: 'mode' }));
    await scene.prompt('go');
    await scene.untilEnd();
    expect(await scene.project.read('a.txt')).toBe('after');
    expect(scene.of('tool_call_update')).toContainEqual(
      expect.objectContaining({ content: [expect.objectContaining({ type: 'diff' })] }),
    );
    expect(scene.ends()).toMatchObject([{ state: 'idle', stopReason: 'end_turn' }]);
  });

  it('shows a command as a terminal of its own, with its output and how it ended', async () => {
    const scene = await open([call('run_command', { command: 'echo héllo; exit 3' }), say('It failed.')]);
    await scene.prompt('go');
    await scene.untilEnd();
    expect(scene.output()).toBe('héllo\n');
    const [begun, ended] = scene.of('terminal_update') as unknown as { terminalId: string }[];
    expect(begun).toMatchObject({ command: 'echo héllo; exit 3', cwd: scene.project.path });
    expect(ended).toMatchObject({ terminalId: begun?.terminalId, exitStatus: { exitCode: 3 } });
    expect(scene.of('tool_call_update')).toContainEqual(
      expect.objectContaining({ content: [{ type: 'terminal', terminalId: begun?.terminalId }] }),
    );
    // The model reads what the command wrote.
    expect(JSON.stringify(scene.server.requests.at(-1)?.body)).toContain('exit code 3');
  });

  it('ends one command when it is asked to, and goes on with its turn', async () => {
    const scene = await open([call('run_command', { command: 'echo begun; sleep 1000' }), say('As you wish.')]);
    await scene.prompt('go');
    await scene.until(() => scene.output() !== '');
    const { toolCallId } = scene.of('tool_call_update')[0] as unknown as { toolCallId: string };
    expect(await scene.request('tool_call/cancel', { toolCallId })).toEqual({});
    await scene.untilEnd();
    expect(scene.of('tool_call_update').at(-1)).toMatchObject({ toolCallId, status: 'cancelled' });
    expect(scene.ends()).toMatchObject([{ stopReason: 'end_turn' }]);
    expect(JSON.stringify(scene.server.requests.at(-1)?.body)).toContain('The person cancelled this call');
  });
});
