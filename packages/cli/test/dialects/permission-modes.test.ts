import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const agent = `'${process.execPath}' '${fileURLToPath(new URL('./peers/go-agent.mjs', import.meta.url))}'`;

const RUN_GIT = { kind: 'execute', title: 'git push', input: { command: 'git push' } };
const RUN_TESTS = { kind: 'execute', title: 'npm test', input: { command: 'npm test' } };
const EDIT = { kind: 'edit', title: 'Write a.txt', input: { file_path: 'a.txt', content: 'x' } };
const READ = { kind: 'read', title: 'Read a.txt', input: { file_path: 'a.txt' } };

/** The tables of section 5 of seed 002. Nobody can be asked here, so a question is answered with a refusal. */
it.each([
  ['--permission-mode', 'default', EDIT, 'reject_once'],
  ['--permission-mode', 'acceptEdits', EDIT, 'allow_once'],
  ['--permission-mode', 'acceptEdits', RUN_TESTS, 'reject_once'],
  ['--permission-mode', 'bypassPermissions', RUN_TESTS, 'allow_once'],
  ['--permission-mode', 'plan', EDIT, 'reject_once'],
  ['--allow', 'Bash(git *)', RUN_GIT, 'allow_once'],
  ['--allow', 'Bash(git *)', RUN_TESTS, 'reject_once'],
  ['--allow', 'Bash(npm test)', RUN_TESTS, 'allow_once'],
  ['--allow', 'Read', READ, 'allow_once'],
  ['--allow', 'Read', EDIT, 'reject_once'],
])('%s %s answers the question of a go agent about %o with %s', async (flag, value, call, answer) => {
  const { stdout } = await parley.run(['exec', flag, value, '--agent', agent, JSON.stringify(call)]);
  expect(stdout).toContain(`The answer was ${answer}.`);
});
