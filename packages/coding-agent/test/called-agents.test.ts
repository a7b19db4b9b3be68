import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agent } from '@parley/agent';
import { networkAgent } from '@parley/client/node';
import { memoryStore } from '@parley/store/memory';
import { END_TURN, type Step } from '@parley/testing/scripted-agent';
import { listen } from '@parley/transports/listen';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  callReviewer,
  onPrompt,
  open,
  resultOf,
  reviewer,
  rules,
  toolCall,
  toolsOf,
  useScriptedAgents,
} from './called-agent-scene.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

useScriptedAgents();

describe('an agent that ours calls as a tool', () => {
  it('answers with its words, a summary and counts of its updates, and shows its calls below ours', async () => {
    const script = onPrompt(
      { do: 'say', text: 'All good: ' },
      toolCall('r1', { locations: [{ path: '/x/a.ts' }] }),
      { do: 'update', update: { sessionUpdate: 'tool_call_update', toolCallId: 'r1', status: 'completed' } },
      toolCall('r2', { title: 'Edit a.ts', kind: 'edit', status: 'failed' }),
      { do: 'say', text: '$prompt' },
      END_TURN,
    );
    const scene = await open([callReviewer(), 'Thanks.'], reviewer(script));
    const { text, toolCalls } = await scene.session.prompt('go').result;
    expect(text).toBe('Thanks.');
    expect(resultOf(scene)).toMatch(
      /^All good: \n\nLook at a\.ts\n\n\[reviewer ended its turn after [\d.]+ s \(end_turn\)\. Tool calls: 2, 1 of them failed\. Session: s1 \(give it as "session" to go on\)\.\]$/,
    );
    const [call, ...nested] = toolCalls;
    expect(call).toMatchObject({
      title: 'reviewer: Look at a.ts',
      status: 'completed',
      rawOutput: {
        agent: 'reviewer',
        sessionId: 's1',
        stopReason: 'end_turn',
        toolCalls: 2,
        failedToolCalls: 1,
        updates: { messages: 2, toolCalls: 3 },
      },
    });
    expect(nested).toMatchObject([
      { title: 'reviewer: Read a.ts', kind: 'read', status: 'completed', parentToolCallId: call?.toolCallId },
      { title: 'reviewer: Edit a.ts', kind: 'edit', status: 'failed', parentToolCallId: call?.toolCallId },
    ]);
  });

  it('is asked for like any other tool, by its own name, and its calls are none of the model, also after a load', async () => {
    const script = onPrompt(toolCall('r1', { status: 'completed' }), { do: 'say', text: 'Fine.' }, END_TURN);
    const store = memoryStore();
    const scene = await open([callReviewer(), 'One.', 'Two.'], reviewer(script), { store });
    await scene.session.prompt('go').result;
    expect(scene.asked.map(({ toolCall: { title } }) => title)).toEqual(['reviewer: Look at a.ts']);
    expect(scene.asked[0]?.options.map(({ name }) => name).join()).toContain('agent__reviewer');
    await scene.session.close();
    const again = await scene.connection.loadSession(scene.session.id, { cwd: scene.path });
    await again.prompt('and?').result;
    const [, before, after] = scene.server.requests.map(({ body }) => (body as { messages: unknown[] }).messages);
    expect(after?.slice(0, before?.length)).toEqual(before);
  });

  it('needs no question where a rule allows it, and is refused where one denies it', async () => {
    const script = onPrompt({ do: 'say', text: 'Fine.' }, END_TURN);
    const allowed = await open([callReviewer(), 'ok'], reviewer(script), {
      permissions: { rules: ['agent__reviewer'] },
    });
    await allowed.session.prompt('go').result;
    expect(allowed.asked).toEqual([]);
    const denied = await open([callReviewer(), 'ok'], reviewer(script), { permissions: { rules: ['deny agent__*'] } });
    await denied.session.prompt('go').result;
    expect(resultOf(denied)).toContain('Not allowed');
  });

  it('asks our person under its name, unless our rules decide', async () => {
    const options = [
      { optionId: 'yes', name: 'Do it', kind: 'allow_once' },
      { optionId: 'no', name: 'Leave it', kind: 'reject_once' },
    ];
    const ask = (toolCallId: string, fields: object): Step => ({
      do: 'request',
      method: 'session/request_permission',
      params: { sessionId: '$sessionId', toolCall: { toolCallId, ...fields }, options },
      echo: true,
    });
    const script = onPrompt(
      toolCall('r1', { title: 'Edit a.ts', kind: 'edit', locations: [{ path: '/nowhere/a.ts' }] }),
      ask('r1', {}),
      ask('r2', { title: 'rm -rf /', kind: 'execute', rawInput: { command: 'rm -rf /' } }),
      END_TURN,
    );
    const scene = await open([callReviewer(), 'ok'], reviewer(script), {
      permissions: { rules: ['agent__reviewer', 'deny Bash(rm *)'] },
    });
    await scene.session.prompt('go').result;
    expect(scene.asked).toMatchObject([{ toolCall: { title: 'reviewer: Edit a.ts', kind: 'edit' }, options }]);
    expect(resultOf(scene)).toContain('"optionId":"yes"');
    expect(resultOf(scene)).toContain('"optionId":"no"');
  });

  it('reads and writes files under our rules, and runs commands under them', async () => {
    const request = (method: string, params: object): Step => ({
      do: 'request',
      method,
      params: { sessionId: '$sessionId', ...params },
      echo: true,
    });
    const { path } = await makeProject({ 'a.ts': 'the text', '.env': 'KEY=1' });
    const script = onPrompt(
      request('fs/read_text_file', { path: join(path, 'a.ts') }),
      request('fs/read_text_file', { path: join(path, '.env') }),
      request('fs/read_text_file', { path: '/etc/hostname' }),
      request('fs/write_text_file', { path: join(path, 'new.ts'), content: 'written' }),
      request('terminal/create', { command: 'git', args: ['push'] }),
      END_TURN,
    );
    const { server, env } = await startModel({ script: [callReviewer(), 'ok'] });
    const connection = await startInProcess({
      agent: {
        env,
        agents: { reviewer: reviewer(script) },
        permissions: { rules: ['agent__*', 'deny Read(.env)', 'deny Bash(git push)'] },
      },
    });
    const session = await connection.newSession({ cwd: path });
    await session.prompt('go').result;
    const said = resultOf({ server });
    expect(said).toContain('the text');
    expect(said).not.toContain('KEY=1');
    expect(said.match(/"error"/g)?.length ?? said.match(/-320\d\d/g)?.length).toBeGreaterThanOrEqual(3);
    expect(existsSync(join(path, 'new.ts'))).toBe(true);
  });

  it('puts its forms to our person under its name', async () => {
    const script = onPrompt(
      {
        do: 'request',
        method: 'elicitation/create',
        params: {
          sessionId: '$sessionId',
          mode: 'form',
          message: 'Which branch?',
          requestedSchema: { type: 'object', properties: { branch: { type: 'string' } } },
        },
        echo: true,
      },
      END_TURN,
    );
    const messages: string[] = [];
    const scene = await open([callReviewer(), 'ok'], reviewer(script), {
      permissions: { rules: ['agent__*'] },
      elicitation: {
        form: ({ message }) => {
          messages.push(message);
          return { action: 'accept', content: { branch: 'main' } };
        },
      },
    });
    await scene.session.prompt('go').result;
    expect(messages).toEqual(['reviewer asks: Which branch?']);
    expect(resultOf(scene)).toContain('main');
  });

  it('may be on the network', async () => {
    const listener = await listen({ host: '127.0.0.1', port: 0, token: 'secret-token' });
    onTestFinished(() => listener.close());
    void agent({ name: 'far', version: '1.0.0' })
      .onPrompt(async (turn) => {
        await turn.say(`Far away: ${turn.text}`);
        return 'end_turn';
      })
      .serve(listener);
    const source = networkAgent({ kind: 'http', url: listener.url, token: 'secret-token' });
    const scene = await open([callReviewer(), 'ok'], { source }, rules);
    await scene.session.prompt('go').result;
    expect(resultOf(scene)).toMatch(/^Far away: Look at a\.ts/);
  });
});

describe('agents that call agents', () => {
  it('tell each other how many they are, by environment and _meta, and the last one has nobody to call', async () => {
    const script = onPrompt({ do: 'tell', what: 'env:PARLEY_AGENT_DEPTH' }, END_TURN);
    const first = await open([callReviewer(), 'ok'], reviewer(script), rules);
    await first.session.prompt('go').result;
    expect(resultOf(first)).toMatch(/^1\n/);
    const second = await open([callReviewer(), 'ok'], reviewer(script), {
      ...rules,
      session: { meta: { 'parley/agentDepth': 2 } },
    });
    await second.session.prompt('go').result;
    expect(resultOf(second)).toMatch(/^3\n/);
    const byMeta = await open(['ok'], reviewer(script), { session: { meta: { 'parley/agentDepth': 3 } } });
    await byMeta.session.prompt('go').result;
    expect(toolsOf(byMeta)).not.toContain('agent');
    const byEnvironment = await open(['ok'], reviewer(script), { env: { PARLEY_AGENT_DEPTH: '3' } });
    await byEnvironment.session.prompt('go').result;
    expect(toolsOf(byEnvironment)).not.toContain('agent');
  });

  it('are a tool only where there are some, and not where nothing may change', async () => {
    const { server, env } = await startModel({ script: ['ok'] });
    const connection = await startInProcess({ agent: { env } });
    const { path } = await makeProject();
    await (await connection.newSession({ cwd: path })).prompt('go').result;
    expect(toolsOf({ server })).not.toContain('agent');
    const scene = await open(['ok'], reviewer({}));
    await scene.session.setOption('preset', 'read-only');
    await scene.session.prompt('go').result;
    expect(toolsOf(scene)).not.toContain('agent');
  });
});
