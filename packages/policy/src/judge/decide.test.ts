import { describe, expect, it } from 'vitest';
import { bash, file, verdict, workspace } from '../../test/requests.ts';
import {
  BEHAVIOUR_MODES,
  createPolicy,
  decide,
  parseRules,
  TOOL_PRESETS,
  type ToolRequest,
  type Verdict,
  WorkspaceError,
} from '../index.ts';

describe('rules', () => {
  it('deny before they ask, and ask before they allow', () => {
    const rules = ['Bash(git *)', 'ask Bash(git push *)', 'deny Bash(git push --force *)'];
    expect(verdict({ rules }, bash('git status'))).toBe('allow');
    expect(verdict({ rules }, bash('git push'))).toBe('ask');
    expect(verdict({ rules }, bash('git push --force'))).toBe('deny');
    expect(verdict({ rules: rules.toReversed() }, bash('git push --force'))).toBe('deny');
  });

  it('match a whole command, not its beginning', () => {
    expect(verdict({ rules: ['Bash(npm test)'] }, bash('npm test'))).toBe('allow');
    expect(verdict({ rules: ['Bash(npm test)'] }, bash('npm tests'))).toBe('ask');
    expect(verdict({ rules: ['Bash(ls *)'] }, bash('lsof'))).toBe('ask');
    expect(verdict({ rules: ['Bash(ls *)'] }, bash('ls'))).toBe('allow');
  });

  it('match families of scripts with :*', () => {
    const rules = ['Bash(npm run test:*)'];
    for (const line of ['npm run test', 'npm run test:unit', 'npm run test:unit -- -u'])
      expect(verdict({ rules }, bash(line))).toBe('allow');
    for (const line of ['npm run tests', 'npm run build']) expect(verdict({ rules }, bash(line))).toBe('ask');
  });

  it('cover what they spell out, though a star would not', () => {
    expect(verdict({ rules: ['Bash(node *)'] }, bash('node -e 1'))).toBe('ask');
    expect(verdict({ rules: ['Bash(node -e *)'] }, bash('node -e 1'))).toBe('allow');
    expect(verdict({ rules: ['Bash(cat *)'] }, bash('cat /etc/hosts'))).toBe('ask');
    expect(verdict({ rules: ['Bash(cat /etc/*)'] }, bash('cat /etc/hosts'))).toBe('allow');
    expect(verdict({ rules: ['Bash(cat /etc/*)'] }, bash('cat /etc/../root/x'))).toBe('ask');
    expect(verdict({ rules: ['Bash(cat /etc/*)'] }, bash('cat /etc/hosts /root/x'))).toBe('ask');
    expect(verdict({ rules: ['Bash(cat *)', 'Read(/etc/hosts)'] }, bash('cat /etc/hosts'))).toBe('allow');
    expect(
      verdict({ rules: ['Bash(git -c color.ui=never *)'] }, bash('git -c color.ui=never -c core.pager=x log')),
    ).toBe('ask');
    expect(
      verdict(
        { rules: ['Bash(NODE_OPTIONS=--trace-warnings npm test)'] },
        bash('NODE_OPTIONS=--trace-warnings npm test'),
      ),
    ).toBe('allow');
  });

  it('allow any readable command when the tool stands alone', () => {
    expect(verdict({ rules: ['Bash'] }, bash('find / -delete'))).toBe('allow');
    expect(verdict({ rules: ['Bash'] }, bash('eval "$X"'))).toBe('ask');
    expect(verdict({ rules: ['Bash'] }, bash('echo x > .git/hooks/pre-commit'))).toBe('ask');
  });

  it('take paths from the workspace, from the root and from home', () => {
    expect(verdict({ rules: ['Edit(src/**)'] }, file('edit', 'src/deep/a.ts'))).toBe('allow');
    expect(verdict({ rules: ['Edit(src/**)'] }, file('edit', '/proj/app/src/a.ts'))).toBe('allow');
    expect(verdict({ rules: ['Edit(src/*.ts)'] }, file('edit', 'src/deep/a.ts'))).toBe('ask');
    expect(verdict({ rules: ['Edit(src/**)'] }, file('edit', 'src/../lib/a.ts'))).toBe('ask');
    expect(verdict({ rules: ['Read(~/notes/**)'] }, file('read', '~/notes/a.md'))).toBe('allow');
    expect(verdict({ rules: ['Read'] }, file('read', '/etc/passwd'))).toBe('ask');
    expect(verdict({ rules: ['Read(/etc/**)'] }, file('read', '/etc/passwd'))).toBe('allow');
  });

  it('keep case to allow and ignore it to deny', () => {
    expect(verdict({ rules: ['Edit(src/**)'] }, file('edit', 'SRC/a.ts'))).toBe('ask');
    expect(verdict({ rules: ['Edit', 'deny Edit(src/**)'] }, file('edit', 'SRC/a.ts'))).toBe('deny');
    expect(verdict({ rules: ['Read', 'deny Read(.env)'] }, file('read', 'packages/a/.ENV'))).toBe('deny');
    expect(verdict({ rules: ['Read', 'deny Read(secrets)'] }, file('read', 'secrets/deep/key'))).toBe('deny');
  });

  it('deny a file under each name a disk may know it by', () => {
    const rules = ['Read', 'deny Read(.env)'];
    for (const path of ['.env.', '.env ', '.env::$DATA', '.e\u200bnv'])
      expect(verdict({ rules }, file('read', path))).toBe('deny');
  });

  it('follow links where the workspace can', () => {
    const decideWith = (realPath: (path: string) => string, request: ToolRequest, rules: string[]) =>
      decide(createPolicy({ workspace: { ...workspace, realPath }, rules }), request);
    const toEtc = (path: string) => path.replace('/proj/app/link', '/etc');
    expect(decideWith(toEtc, file('read', 'link/passwd'), ['Read']).verdict).toBe('ask');
    expect(decideWith(toEtc, bash('cat link/passwd'), ['Bash(cat *)']).verdict).toBe('ask');
    const toHooks = (path: string) => path.replace('/innocent/', '/.git/hooks/');
    expect(decideWith(toHooks, file('edit', 'innocent/pre-commit'), ['Edit']).reason).toBe('protected');
  });

  it('need a workspace that is an absolute path', () => {
    expect(() => createPolicy({ workspace: { cwd: 'app' } })).toThrow(WorkspaceError);
    expect(() => createPolicy({ workspace: { cwd: '/app', additionalDirectories: [''] } })).toThrow(
      'is not an absolute path',
    );
  });

  it('reach tools of foreign agents by kind and by name', () => {
    expect(verdict({ rules: ['Read'] }, file('read', 'a.ts', 'open_document'))).toBe('allow');
    expect(verdict({ rules: ['Edit'] }, file('delete', 'a.ts', 'trash'))).toBe('allow');
    expect(verdict({ rules: ['Grep'] }, { tool: 'codebase_lookup', kind: 'search' })).toBe('allow');
    expect(verdict({ rules: ['Bash(git *)'] }, { ...bash('git status'), tool: 'run_shell_command' })).toBe('allow');
    expect(verdict({ rules: ['read_file'] }, { tool: 'read_file', paths: ['a.ts'] })).toBe('allow');
    expect(verdict({ rules: ['read_file(src/**)'] }, { tool: 'read_file', paths: ['a.ts'] })).toBe('ask');
    expect(verdict({ rules: ['Read', 'deny read_file'] }, { tool: 'Read_File', paths: ['a.ts'] })).toBe('deny');
    expect(verdict({ rules: ['run_command(git *)'] }, { ...bash('git status'), tool: 'run_command' })).toBe('allow');
    expect(verdict({ rules: ['run_command(git *)'] }, bash('git status'))).toBe('ask');
    expect(verdict({ rules: ['Read'] }, { tool: 'read_file', paths: ['a.ts'] })).toBe('allow');
    expect(verdict({ rules: ['custom_tool'] }, { tool: 'custom_tool', kind: 'other' })).toBe('allow');
  });

  it('do not let a kind hide what a tool carries or is called', () => {
    expect(verdict({ rules: ['Read'] }, { ...bash('rm -rf /'), kind: 'read' })).toBe('ask');
    expect(verdict({ rules: ['Read'] }, { tool: 'write_file', kind: 'read', paths: ['a.ts'] })).toBe('ask');
    expect(verdict({ rules: ['Read', 'Think'] }, { tool: 'mcp__evil__read', kind: 'read' })).toBe('ask');
    expect(verdict({ rules: ['mcp__evil__*', 'deny Read'] }, { tool: 'mcp__evil__read', kind: 'read' })).toBe('deny');
  });

  it('match MCP tools by server and name', () => {
    const rules = ['mcp__github__*', 'deny mcp__github__delete_repo'];
    expect(verdict({ rules }, { tool: 'mcp__github__list_issues' })).toBe('allow');
    expect(verdict({ rules }, { tool: 'mcp__github__delete_repo' })).toBe('deny');
    expect(verdict({ rules }, { tool: 'mcp__githubevil__list' })).toBe('ask');
    expect(verdict({ rules }, { tool: 'MCP__github__list' })).toBe('ask');
  });

  it('hold against what an external tool carries', () => {
    const rules = ['mcp__shell__*', 'mcp__files__*', 'deny Bash(rm *)', 'deny Read(.env)'];
    const run = (line: string): ToolRequest => ({ ...bash(line), tool: 'mcp__shell__run' });
    expect(verdict({ rules }, run('ls'))).toBe('allow');
    expect(verdict({ rules }, run('rm -rf /'))).toBe('deny');
    expect(verdict({ rules }, { tool: 'mcp__files__write', paths: ['src/a.ts'] })).toBe('allow');
    expect(verdict({ rules }, { tool: 'mcp__files__write', paths: ['.git/hooks/pre-commit'] })).toBe('ask');
    expect(verdict({ rules }, { tool: 'mcp__files__read', paths: ['.env'] })).toBe('ask');
    expect(verdict({ rules }, { tool: 'mcp__files__read', kind: 'read', paths: ['.env'] })).toBe('deny');
  });

  it('match addresses by host and by beginning', () => {
    const fetch = (url: string): ToolRequest => ({ tool: 'WebFetch', kind: 'fetch', url });
    const rules = [
      'Fetch(domain:docs.example.com)',
      'Fetch(https://api.example.com/v1/*)',
      'deny Fetch(domain:evil.com)',
    ];
    expect(verdict({ rules }, fetch('https://docs.example.com/a'))).toBe('allow');
    expect(verdict({ rules }, fetch('https://api.example.com/v1/items'))).toBe('allow');
    expect(verdict({ rules }, fetch('https://api.example.com/v1/../v2'))).toBe('ask');
    expect(verdict({ rules }, fetch('https://docs.example.com@evil.org/'))).toBe('ask');
    expect(verdict({ rules }, fetch('https://docs.example.com.evil.org/'))).toBe('ask');
    expect(verdict({ rules }, fetch('https://sub.evil.com/'))).toBe('deny');
  });

  it('ask when a file is not told, and a deny rule might be about it', () => {
    expect(verdict({ rules: ['Read', 'deny Read(.env)'] }, { tool: '', kind: 'read' })).toBe('ask');
    expect(verdict({ rules: ['Bash(git *)'] }, { tool: '', kind: 'execute', title: 'git status' })).toBe('ask');
  });
});

describe('nobody to ask', () => {
  it('turns every question into a denial that says why', () => {
    const decision = decide(createPolicy({ workspace, canAsk: false }), bash('npm test'));
    expect(decision).toMatchObject({
      verdict: 'deny',
      reason: 'nobody-to-ask',
      because: 'Nobody can be asked: No rule allows `npm test`.',
    });
  });

  it('leaves what is allowed allowed', () => {
    expect(verdict({ canAsk: false, rules: ['Bash(npm test)'] }, bash('npm test'))).toBe('allow');
  });
});

describe('tool sets', () => {
  it('deny tools that do not exist in them', () => {
    const decision = decide(
      createPolicy({ workspace, rules: ['Bash'], toolSets: [TOOL_PRESETS['read-only']] }),
      bash('ls'),
    );
    expect(decision).toMatchObject({
      verdict: 'deny',
      reason: 'tool-set',
      because: 'There is no tool Bash in Read-Only.',
    });
  });

  it('let low safety levels of our own tools run, and not those that others claim', () => {
    const toolSets = [TOOL_PRESETS.full];
    expect(verdict({ toolSets }, { ...file('read', 'a.ts'), level: 1 })).toBe('allow');
    expect(verdict({ toolSets }, { ...file('edit', 'a.ts'), level: 2 })).toBe('ask');
    expect(verdict({ toolSets }, { ...file('read', 'a.ts'), claimedLevel: 1 })).toBe('ask');
    expect(verdict({ toolSets }, { ...file('read', '/etc/passwd'), level: 1 })).toBe('ask');
    expect(verdict({ toolSets, rules: ['deny Read(a.ts)'] }, { ...file('read', 'a.ts'), level: 1 })).toBe('deny');
  });

  it('ask before every change in ask mode, whatever the rules allow', () => {
    const toolSets = [BEHAVIOUR_MODES.ask];
    expect(verdict({ toolSets, rules: ['Edit', 'Bash(git *)'] }, file('edit', 'a.ts'))).toBe('ask');
    expect(verdict({ toolSets, rules: ['Bash(git *)'] }, bash('git status'))).toBe('ask');
    expect(verdict({ toolSets, rules: ['Read'] }, file('read', 'a.ts'))).toBe('allow');
  });
});

describe('a mode switch', () => {
  it('is always put to the person', () => {
    const request: ToolRequest = { tool: 'ExitPlanMode', kind: 'switch_mode', title: 'Implement the plan' };
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions', 'plan'] as const)
      expect(verdict({ mode, rules: ['*'] }, request)).toBe('ask');
    expect(verdict({ rules: ['deny ExitPlanMode'] }, request)).toBe('deny');
  });
});

describe('a decision', () => {
  const rules = parseRules({ allow: ['Bash(git *)'], deny: ['Bash(rm *)'] }, { scope: 'project', file: 'parley.json' });

  it('names the rule, its file and the part of the command', () => {
    expect(decide(createPolicy({ workspace, rules }), bash('git status && rm -rf dist'))).toMatchObject({
      verdict: 'deny',
      reason: 'rule',
      because: '`rm -rf dist` falls under the rule deny Bash(rm *) (parley.json).',
      part: 'rm -rf dist',
      source: { scope: 'project', file: 'parley.json' },
      parts: [
        { text: 'git status', verdict: 'allow' },
        { text: 'rm -rf dist', verdict: 'deny' },
      ],
    });
  });

  it('carries the level and the hints of the tool', () => {
    const hints = { rollbackSteps: 'git checkout a.ts', alternativePlan: 'edit a copy' };
    expect(decide(createPolicy({ workspace }), { ...file('edit', 'a.ts'), level: 3, hints })).toMatchObject({
      level: 3,
      hints,
    });
    expect(decide(createPolicy({ workspace }), file('read', 'a.ts')).level).toBe(1);
    expect(decide(createPolicy({ workspace }), bash('ls')).level).toBe(3);
  });
});

describe('a command with its folder and variables beside it', () => {
  it('is judged as if they stood on the line', () => {
    const disk = { realPath: (path: string) => path, listFolder: () => [] };
    const rules = ['Bash(git *)', 'Bash(cat *)', 'deny Read(.env)'];
    const policy = createPolicy({ workspace: { ...workspace, ...disk }, rules });
    const at = (line: string, cwd: string): Verdict => decide(policy, { ...bash(line), cwd }).verdict;
    expect(at('git status', 'packages/core')).toBe('allow');
    expect(at('git status', '/tmp/evil')).toBe('ask');
    expect(at('cat ../.env', 'src')).toBe('deny');
    const withVariable = (name: string): ToolRequest => ({
      tool: 'Bash',
      command: { type: 'line', line: 'git log', environment: { [name]: 'x' } },
    });
    expect(decide(policy, withVariable('GIT_PAGER')).verdict).toBe('ask');
    expect(decide(policy, withVariable('CI')).verdict).toBe('allow');
  });

  it('is not read by a shell when it comes as words', () => {
    const policy = createPolicy({ workspace, rules: ['Bash(echo *)', 'deny Bash(rm *)'] });
    const words = (...list: string[]): ToolRequest => ({
      tool: 'terminal',
      command: { type: 'arguments', words: list },
    });
    expect(decide(policy, words('echo', '$(rm x); rm y')).verdict).toBe('allow');
    expect(decide(policy, words('bash', '-lc', 'echo a; rm y')).verdict).toBe('deny');
    expect(decide(policy, words('sh', '-c', 'echo a')).verdict).toBe('allow');
  });
});
