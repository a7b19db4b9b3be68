import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();

describe('parley exec without a terminal', () => {
  const wants = (toolCall: object): string =>
    parley.agent({
      on: {
        'session/prompt': [
          {
            do: 'request',
            method: 'session/request_permission',
            params: {
              sessionId: '$sessionId',
              toolCall: { toolCallId: 't', ...toolCall },
              options: [
                { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
                { optionId: 'no', name: 'No', kind: 'reject_once' },
              ],
            },
          },
          { do: 'respond', result: { stopReason: 'end_turn' } },
        ],
      },
    });
  const file = join(parley.folder, "it's [new].txt");
  it.each([
    ['a command', { title: 'Test', kind: 'execute', rawInput: { command: 'npm test' } }, "--allow 'Bash(npm test)'"],
    [
      'a line of commands',
      { title: 'Both', kind: 'execute', rawInput: { command: 'npm test && git push' } },
      "--allow 'Bash(npm test)' --allow 'Bash(git push)'",
    ],
    [
      'a change',
      { title: 'Write', kind: 'edit', locations: [{ path: file }] },
      String.raw`--allow 'Edit(it'\''s [new].txt)'`,
    ],
    [
      'a page',
      { title: 'Get', kind: 'fetch', rawInput: { url: 'https://a.org/x?y' } },
      "--allow 'Fetch(domain:a.org)'",
    ],
  ])('tells why %s was denied, and the flag that would have allowed it', async (_name, toolCall, flag) => {
    const agent = wants(toolCall);
    const { code, stderr } = await parley.run(['exec', '--agent', agent, 'Hi']);
    expect(code).toBe(5);
    expect(stderr).toContain(`parley: not allowed: ${toolCall.title}. No rule allows`);
    expect(stderr).toContain('Nobody can be asked: this is no terminal.');
    expect(stderr).toContain(`try: ${flag}   or: --approve-all`);
    const words = [...flag.matchAll(/'((?:[^']|'\\'')*)'/g)].flatMap(([, rule = '']) => [
      '--allow',
      rule.replaceAll(String.raw`'\''`, "'"),
    ]);
    expect((await parley.run(['exec', ...words, '--agent', agent, 'Hi'])).code).toBe(0);
  });

  it('tells also the agent that there was nobody to ask', async () => {
    const agent = wants({ title: 'Test', kind: 'execute', rawInput: { command: 'npm test' } });
    const { stdout } = await parley.run(['exec', '--format', 'json', '--agent', agent, 'Hi']);
    const answer = readLines(stdout).find(({ result }) => (result as { outcome?: unknown } | undefined)?.outcome);
    expect(JSON.stringify(answer)).toMatch(/There was nobody to ask\./);
  });

  it('names the rule, the mode or the flag that denied something, in every format', async () => {
    const agent = wants({ title: 'Test', kind: 'execute', rawInput: { command: 'npm test' } });
    const denied = async (...flags: string[]) => (await parley.run(['exec', ...flags, '--agent', agent, 'Hi'])).stderr;
    expect(await denied('--deny', 'Bash(npm *)')).toContain('`npm test` falls under the rule deny Bash(npm *)');
    expect(await denied('--permission-mode', 'plan')).toContain('The mode Plan does not run `npm test`.');
    expect(await denied('--deny-all', '--format', 'quiet')).toBe(
      'parley: not allowed: Test. --deny-all allows nothing.\n',
    );
    expect(await denied('--non-interactive-permissions', 'fail')).toContain("try: --allow 'Bash(npm test)'");
    const { stdout } = await parley.run(['exec', '--format', 'json', '--agent', agent, 'Hi']);
    expect(readLines(stdout).at(-1)).toMatchObject({
      params: { denials: [{ title: 'Test', next: ["--allow 'Bash(npm test)'", '--approve-all'] }] },
    });
  });
});
