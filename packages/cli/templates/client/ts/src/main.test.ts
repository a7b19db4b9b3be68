import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const client = fileURLToPath(new URL('main.js', import.meta.url));
const agent = fileURLToPath(new URL('echo-agent.js', import.meta.url));

test('shows what an agent says', async () => {
  const { stdout, stderr } = await run(process.execPath, [client, 'Hello there', process.execPath, agent]);
  assert.equal(stdout, 'You said: Hello there\n');
  assert.match(stderr, /echo: end_turn/);
});

test('says in words that an agent cannot be started', async () => {
  const failure = await run(process.execPath, [client, 'Hello', 'no-such-agent-anywhere']).catch((error) => error);
  assert.equal(failure.code, 1);
  assert.match(failure.stderr, /no-such-agent-anywhere/);
});
