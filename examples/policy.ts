// What may run, what asks, what is denied, and why: one sentence for each.
// Run it: npx tsx --conditions=source examples/policy.ts
import {
  createMemoryRemembered,
  createPolicy,
  decide,
  explain,
  offerOptions,
  parseRules,
  readAnswer,
  rememberedFrom,
  type ToolRequest,
} from '@parley/policy';

const workspace = { cwd: '/home/me/app', home: '/home/me' };
const rules = parseRules(
  {
    allow: [
      'Read',
      'Edit(src/**)',
      'Bash(git *)',
      'Bash(npm test)',
      'Bash(cat *)',
      'Bash(find *)',
      'mcp__github__list_*',
    ],
    ask: ['Bash(git push *)'],
    deny: ['Bash(rm *)', 'Read(.env)'],
  },
  { scope: 'project', file: 'parley.json' },
);
const policy = createPolicy({ workspace, rules });

const lines = [
  'git status',
  'git status; rm -rf /',
  'cd src && npm test 2>&1 | cat',
  'git push origin main',
  'git -c core.pager=evil log',
  'find . -name "*.ts" -exec cat {} +',
  'find . -delete',
  'cat /etc/passwd',
  'cat .e*',
  'bash -c "git log $(rm x)"',
  'echo hi > .git/hooks/pre-commit',
];
for (const line of lines) show(line, bash(line));

show('edit src/index.ts', { tool: 'edit_file', kind: 'edit', paths: ['src/index.ts'] });
show('edit .vscode/settings.json', { tool: 'edit_file', kind: 'edit', paths: ['.vscode/settings.json'] });
show('list issues', { tool: 'mcp__github__list_issues' });

// The person answers "always"; from then on exactly this runs, in this folder and this session.
const build = bash('npm run build');
const offered = offerOptions(build, decide(policy, build), workspace.cwd);
const { chosen } = readAnswer(offered, { outcome: 'selected', optionId: 'allow_always_session' });
const place = { sessionId: 'demo' };
const entry = chosen && rememberedFrom(chosen, { id: '1', createdAt: new Date(0).toISOString(), place });
const store = createMemoryRemembered(entry ? [entry] : []);
const later = createPolicy({ workspace, rules, remembered: await store.list(place) });
console.log(`\nchosen: ${chosen?.option.name}`);
show('npm run build', build, later);
show('npm run build:all', bash('npm run build:all'), later);

function bash(line: string): ToolRequest {
  return { tool: 'Bash', kind: 'execute', command: { type: 'line', line } };
}

function show(title: string, request: ToolRequest, by = policy): void {
  console.log(`${title.padEnd(40)} ${explain(decide(by, request))}`);
}
