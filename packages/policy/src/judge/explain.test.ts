import { describe, expect, it } from 'vitest';
import { showText } from '../helpers.ts';
import { createPolicy, decide, explain, explainAsData, lookingRules, parseRules } from '../index.ts';

const workspace = { cwd: '/proj/app', home: '/home/me' };
const rules = [
  ...parseRules(
    { allow: ['Bash(git *)', 'Bash(cat *)', 'Read'], ask: ['Bash(git push *)'], deny: ['Read(.env)'] },
    { scope: 'project', file: 'parley.json' },
  ),
];
const say = (line: string, options: object = {}) =>
  explain(
    decide(createPolicy({ workspace, rules, ...options }), {
      tool: 'Bash',
      kind: 'execute',
      command: { type: 'line', line },
    }),
  );

describe('explain', () => {
  it.each([
    ['git status', 'Allowed. `git status` is allowed by the rule allow Bash(git *) (parley.json).'],
    ['git push', 'Asks. `git push` falls under the rule ask Bash(git push *) (parley.json).'],
    ['cat .env', 'Denied. `cat .env` falls under the rule deny Read(.env) (parley.json).'],
    ['npm test', 'Asks. No rule allows `npm test`.'],
    [
      'cat /etc/hosts',
      'Asks. The rule allow Bash(cat *) (parley.json) covers the workspace only: /etc/hosts is outside the workspace.',
    ],
    [
      'git -c core.pager=x log',
      'Asks. The rule allow Bash(git *) (parley.json) does not cover all of `git -c core.pager=x log`: -c core.pager=x changes a setting, which can run programs.',
    ],
    ['git log > .git/config', 'Asks. `> .git/config` changes .git, which decides what may run later.'],
    ['eval "$X"', 'Asks. `$X` uses a variable, whose value is not followed, so a deny rule may apply.'],
    ['git status && cd src', 'Allowed. All 2 parts are allowed by the rule allow Bash(git *) (parley.json).'],
    [
      'git log | cat',
      'Allowed. All 2 parts are allowed by the rules allow Bash(git *) (parley.json), allow Bash(cat *) (parley.json).',
    ],
  ])('says of %s', (line, sentence) => {
    expect(say(line)).toBe(sentence);
  });

  it('names the command before the folder it is to run in, where a rule denies both', () => {
    const policy = createPolicy({
      workspace,
      rules: parseRules({ deny: ['*'] }, { scope: 'project', file: 'parley.json' }),
    });
    const request = {
      tool: 'Bash',
      kind: 'execute',
      cwd: '/proj/app',
      command: { type: 'line', line: 'npm test' },
    } as const;
    expect(explain(decide(policy, request))).toBe('Denied. `npm test` falls under the rule deny * (parley.json).');
  });

  it('names the mode where the mode decides', () => {
    expect(say('npm test', { mode: 'bypassPermissions' })).toBe(
      'Allowed. The mode Bypass permissions allows `npm test`.',
    );
    expect(say('npm test', { mode: 'plan' })).toBe('Denied. The mode Plan does not run `npm test`.');
  });

  it('keeps a long command short and shows hidden characters', () => {
    expect(say(`npm ${'x'.repeat(500)}`).length).toBeLessThan(200);
    expect(say('npm test\u202e')).toContain('<U+202E>');
    expect(showText('a\u0000b\nc')).toBe('a<U+0000>b\nc');
  });
});

describe('explainAsData', () => {
  it('is plain JSON with every part', () => {
    const decision = decide(createPolicy({ workspace, rules }), {
      tool: 'Bash',
      command: { type: 'line', line: 'git status; npm test' },
    });
    expect(JSON.parse(JSON.stringify(explainAsData(decision)))).toMatchObject({
      verdict: 'ask',
      reason: 'no-rule',
      part: 'npm test',
      canRemember: true,
      level: { number: 3, means: 'high impact' },
      parts: [
        {
          text: 'git status',
          verdict: 'allow',
          rule: { effect: 'allow', text: 'Bash(git *)', source: { file: 'parley.json' } },
        },
        { text: 'npm test', verdict: 'ask' },
      ],
    });
  });
});

describe('lookingRules', () => {
  it('let a person look around and nothing more', () => {
    const policy = createPolicy({ workspace, rules: lookingRules() });
    const verdict = (line: string) => decide(policy, { tool: 'Bash', command: { type: 'line', line } }).verdict;
    for (const line of ['ls -la', 'git status', 'cat src/a.ts | head', 'rg foo src', 'git log --oneline -5'])
      expect(verdict(line)).toBe('allow');
    for (const line of ['rm x', 'git push', 'git branch -D x', 'cat /etc/passwd', 'sed -i s/a/b/ x', 'find . -delete'])
      expect(verdict(line)).toBe('ask');
  });
});
