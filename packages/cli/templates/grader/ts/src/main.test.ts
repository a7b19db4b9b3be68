import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { grade } from './main.ts';

const program = fileURLToPath(new URL('main.js', import.meta.url));
const input = 'Which city?';

test('passes what has all of the hint', async () => {
  const { pass, score } = await grade({ input, output: 'It is Paris, France.', hint: 'paris france' });
  assert.deepEqual({ pass, score }, { pass: true, score: 1 });
});

test('fails what lacks some of it, also as a program', () => {
  const params = { input, output: 'Paris', hint: 'paris france' };
  const { stdout } = spawnSync(process.execPath, [program], { input: JSON.stringify(params), encoding: 'utf8' });
  const { pass, score, reasoning } = JSON.parse(stdout);
  assert.deepEqual({ pass, score, reasoning }, { pass: false, score: 0.5, reasoning: 'Missing: france.' });
});

test('says in words what it cannot read', () => {
  const { status, stderr } = spawnSync(process.execPath, [program], { input: 'no JSON', encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /cannot be graded/);
});
