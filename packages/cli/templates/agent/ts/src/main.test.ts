import { strict as assert } from 'node:assert';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { connect, type PermissionHandler, type RunResult, run } from '@parley/client';
import { spawnAgent } from '@parley/client/node';

/** The agent in a process of its own, as an editor starts it. */
const agent = spawnAgent(process.execPath, [fileURLToPath(new URL('main.js', import.meta.url))]);
let cwd = '';

before(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'my-agent-'));
  await writeFile(join(cwd, 'words.txt'), 'one two three');
});
after(() => rm(cwd, { recursive: true }));

function ask(prompt: string, answer: 'allow_once' | 'reject_once' = 'reject_once'): Promise<RunResult> {
  const choose: PermissionHandler = ({ options }) => {
    const option = options.find(({ kind }) => kind === answer);
    return option ? { optionId: option.optionId } : 'reject';
  };
  return run(agent, { cwd, prompt, workspace: { roots: [cwd] }, permissions: { mode: 'default', ask: choose } });
}

test('says what you said', async () => {
  const { text, stopReason } = await ask('hello');
  assert.deepEqual({ text, stopReason }, { text: 'You said: hello', stopReason: 'end_turn' });
});

test('counts when it is allowed', async () => {
  const { text, toolCalls } = await ask('/count words.txt', 'allow_once');
  assert.equal(text, 'It has 3 words.');
  assert.deepEqual(
    toolCalls.map(({ status }) => status),
    ['completed'],
  );
});

test('can be cancelled and goes on', async () => {
  await using connection = await connect(agent);
  const session = await connection.newSession({ cwd });
  const turn = session.prompt('/wait 60');
  for await (const event of turn) if (event.type === 'text') turn.cancel();
  assert.equal((await turn.result).stopReason, 'cancelled');
  assert.equal((await session.prompt('still there?').result).stopReason, 'end_turn');
});
