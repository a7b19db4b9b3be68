import { describe, expect, it } from 'vitest';
import { createPolicy, decide, offerOptions, readAnswer, rememberedFrom, type ToolRequest } from '../index.ts';

describe('offerOptions', () => {
  const request: ToolRequest = { tool: 'Bash', kind: 'execute', command: { type: 'line', line: 'npm test' } };
  const policy = createPolicy({ workspace: { cwd: '/proj/app' } });

  it('says in each option what it stands for', () => {
    const names = offerOptions(request, decide(policy, request), '/proj/app').map((each) => each.option.name);
    expect(names).toEqual([
      'Allow',
      'Always allow `npm test` in this session',
      'Always allow `npm test` in this folder from now on',
      'Allow commands that begin with `npm test` in this session',
      'Reject',
      'Always reject `npm test` in this session',
    ]);
  });

  /** What the wider option says, and whether it then allows other requests; undefined where there is none. */
  const choose = (asked: ToolRequest, ...others: ToolRequest[]) => {
    const offered = offerOptions(asked, decide(policy, asked), '/proj/app');
    const wider = offered.find(({ remember }) => remember?.what.type === 'rule');
    const chosen = wider && rememberedFrom(wider, { id: '1', createdAt: '', place: { sessionId: 's' } });
    if (!chosen) return undefined;
    const later = createPolicy({ workspace: { cwd: '/proj/app' }, remembered: [chosen] });
    return [wider.option.name, ...[asked, ...others].map((each) => decide(later, each).verdict)];
  };
  const bash = (line: string): ToolRequest => ({ ...request, command: { type: 'line', line } });
  const edit = (path: string): ToolRequest => ({ tool: 'edit_file', kind: 'edit', paths: [path] });

  it('offers all edits in this folder, but for what is protected and what is elsewhere', () => {
    expect(
      choose(edit('src/a.ts'), edit('src/b.ts'), edit('.git/hooks/commit'), edit('/etc/hosts'), bash('ls')),
    ).toEqual(['Allow all edits in this folder in this session', ...['allow', 'allow', 'ask', 'ask', 'ask']]);
    expect(choose(edit('/etc/hosts'))).toBeUndefined();
    expect(choose(edit('.git/hooks/commit'))).toBeUndefined();
  });

  it('offers commands that begin as this one does, never more than it says', () => {
    expect(
      choose(bash('npm test -- a'), bash('npm test -- b'), bash('npm install x'), bash('npm test; rm -rf /')),
    ).toEqual(['Allow commands that begin with `npm test` in this session', 'allow', 'allow', 'ask', 'ask']);
    expect(choose(bash('npm run build -- --watch'), bash('npm run deploy'))).toEqual([
      'Allow commands that begin with `npm run build` in this session',
      ...['allow', 'ask'],
    ]);
  });

  it('offers every use of an agent that ours calls, by its name, and nothing exact', () => {
    const call = (tool: string): ToolRequest => ({ tool, kind: 'other' });
    expect(choose(call('agent__reviewer'), call('agent__writer'), bash('ls'))).toEqual([
      'Allow every use of agent__reviewer in this session',
      ...['allow', 'ask', 'ask'],
    ]);
    const offered = offerOptions(call('agent__reviewer'), decide(policy, call('agent__reviewer')), '/proj/app');
    expect(offered.map(({ option }) => option.name)).toEqual([
      'Allow',
      'Allow every use of agent__reviewer in this session',
      'Allow every use of agent__reviewer in this folder from now on',
      'Reject',
    ]);
    // A name alone says nothing of what any other tool does.
    expect(choose(call('deploy'))).toBeUndefined();
  });

  it('offers all pages of a host by its name, and of no other', () => {
    const fetch = (url: string): ToolRequest => ({ tool: 'fetch_url', kind: 'fetch', url });
    const page = fetch('https://docs.example.com/a');
    expect(
      choose(
        page,
        fetch('http://docs.example.com/b?c'),
        fetch('https://example.com/'),
        fetch('https://a.docs.example.com/'),
      ),
    ).toEqual(['Allow all pages of docs.example.com in this session', ...['allow', 'allow', 'ask', 'ask']]);
    for (const url of [
      'https://me:secret@example.com/',
      'http://127.0.0.1:8080/',
      'http://localhost/',
      'http://[::1]/',
      'ftp://a.b/',
    ])
      expect(choose(fetch(url))).toBeUndefined();
    expect(offerOptions(page, decide(policy, page), '/proj/app')[1]?.option.name).toBe(
      'Always allow fetching https://docs.example.com/a in this session',
    );
  });

  it.each([
    'rm old.txt',
    'rm -rf dist',
    'node script.js',
    'python -c "print(1)"',
    'make',
    'FOO=1 npm test',
    'npm test && cargo build',
    '"npm" $X',
    'sudo npm test',
    'bash -c "npm test"',
  ])('offers nothing wider than %s', (line) => {
    expect(choose(bash(line))).toBeUndefined();
  });

  it('shows hidden characters instead of hiding them', () => {
    const hidden: ToolRequest = { ...request, command: { type: 'line', line: 'npm test\u202e' } };
    expect(offerOptions(hidden, decide(policy, hidden), '/proj/app')[1]?.option.name).toContain('<U+202E>');
  });

  it('takes an option that was never offered for a rejection', () => {
    const offered = offerOptions(request, decide(policy, request), '/proj/app');
    expect(readAnswer(offered, { outcome: 'selected', optionId: 'allow_everything' })).toEqual({
      isAllowed: false,
      isCancelled: false,
    });
    expect(readAnswer(offered, { outcome: 'selected', optionId: 'allow_once' }).isAllowed).toBe(true);
    expect(readAnswer(offered, { outcome: 'cancelled' })).toEqual({ isAllowed: false, isCancelled: true });
  });
});
