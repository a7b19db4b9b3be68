import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  createPolicy,
  decide,
  LOOKING_RULES,
  type PermissionMode,
  type ToolRequest,
  type Verdict,
} from '../src/index.ts';
import { HOSTILE_DISK } from './memory-disk.ts';
import { bash, file } from './requests.ts';

const DOCUMENT = new URL('../../../docs/concepts/permissions.md', import.meta.url);
const [START, END] = ['<!-- modes: made by packages/policy/test/modes-table.test.ts -->', '<!-- end of modes -->'];
const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'bypassPermissions', 'plan'];
const WORDS: Readonly<Record<Verdict, string>> = { allow: 'runs', ask: 'asks', deny: 'denied' };

const REQUESTS: readonly (readonly [string, ToolRequest])[] = [
  ['read a file of the workspace', file('read', 'src/a.ts')],
  ['read a file outside', file('read', '/etc/passwd')],
  ['read a file behind a link that leads out', file('read', 'keylink')],
  ['read a file that `deny Read(.env)` names', file('read', '.env')],
  ['search the workspace', file('search', '.')],
  ['edit a file of the workspace', file('edit', 'src/a.ts')],
  ['edit a file outside', file('edit', '/proj/other/a.ts')],
  ['edit a protected file, `.mcp.json`', file('edit', '.mcp.json')],
  ['delete a file of the workspace', file('delete', 'src/a.ts')],
  ['a "read" that carries a diff', { ...file('read', 'src/a.ts'), carries: ['edit'] }],
  ...[
    'ls -la',
    'cat plain/*.ts',
    'cat key*',
    'grep -rn foo src',
    'git status',
    'cd vendor/evil && git status',
    'git commit -m x',
    'npm test',
    'LD_PRELOAD=./x.so git status',
    'echo x > a.txt',
    'echo x > ../a.txt',
    'mkdir -p src/new',
    'rm -rf dist',
    'mv src/a.ts src/b.ts',
    'mv src/a.ts .git/hooks/',
    'cp src/a.ts src/b.ts',
    'sed -i s/a/b/ src/a.ts',
    'curl https://example.com',
    'cat .env',
    'mv .env x',
    'eval "$x"',
  ].map((line): [string, ToolRequest] => [`\`${line}\``, bash(line)]),
  ['a tool of an MCP server', { tool: 'mcp__github__create_issue', kind: 'other' }],
  ['fetch an address', { tool: 'WebFetch', kind: 'fetch', url: 'https://example.com/' }],
  ['leave plan mode', { tool: 'exit_plan_mode', kind: 'switch_mode' }],
];

/** The table as the policy makes it. Links and repositories are those of the prepared disk. */
function table(): string {
  const { realPath, listFolder } = HOSTILE_DISK;
  const policies = MODES.map((mode) =>
    createPolicy({
      workspace: { cwd: '/proj/app', home: '/home/me', realPath, ...(listFolder && { listFolder }) },
      mode,
      rules: [...LOOKING_RULES, 'deny Read(.env)'],
      shell: 'bash',
    }),
  );
  const rows = REQUESTS.map(([what, request]) => [
    what,
    ...policies.map((policy) => WORDS[decide(policy, request).verdict]),
  ]);
  const lines = [['', ...MODES.map((mode) => `\`${mode}\``)], ['---', ...MODES.map(() => '---')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

it('docs/concepts/permissions.md says what each mode lets through; PARLEY_UPDATE_DOCS=1 writes it', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, rest = ''] = text.split(START);
  const after = rest.split(END)[1] ?? '';
  const expected = `${before}${START}\n${table()}\n${END}${after}`;
  if (process.env.PARLEY_UPDATE_DOCS === '1') writeFileSync(DOCUMENT, expected);
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(expected);
});
