import { describe, expect, it } from 'vitest';
import { checkRules, enforceRules, v2 } from './index.ts';

const sessionId = 's1';

/** The path and what was expected there, of the first rule that the params break. */
function brokenAt(method: Parameters<typeof checkRules>[0], params: unknown, context = {}): string | undefined {
  const problem = checkRules(method, v2.parseParams(method, params) as never, context);
  return problem && `${problem.path.join('.')}: ${problem.expected}`;
}

function permission(more: object): object {
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  return { sessionId, title: 'Run it?', options, ...more };
}

function update(fields: object): object {
  return { sessionId, update: fields };
}

describe('the rules of version 2 beyond its schema', () => {
  it('want absolute paths wherever a folder or a file is named', () => {
    expect(brokenAt('session/new', { cwd: 'work' })).toBe('cwd: absolute path');
    expect(brokenAt('session/resume', { sessionId, cwd: '/w', additionalDirectories: [''] })).toBe(
      'additionalDirectories.0: absolute path',
    );
    expect(brokenAt('session/list', { cwd: './here' })).toBe('cwd: absolute path');
    expect(brokenAt('session/list', {})).toBeUndefined();
    const subject = { type: 'command', command: 'ls', cwd: 'work' };
    expect(brokenAt('session/request_permission', permission({ subject }))).toBe('subject.cwd: absolute path');
    const moved = { type: 'diff', changes: [{ operation: 'move', oldPath: 'a.ts', path: '/b.ts' }] };
    const call = { sessionUpdate: 'tool_call_update', toolCallId: 'c', content: [moved] };
    expect(brokenAt('session/update', update(call))).toBe('update.content.0.changes.0.oldPath: absolute path');
    const chunk = { sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c', content: moved };
    expect(brokenAt('session/update', update(chunk))).toBe('update.content.changes.0.oldPath: absolute path');
    const terminal = { sessionUpdate: 'terminal_update', terminalId: 't', cwd: 'src' };
    expect(brokenAt('session/update', update(terminal))).toBe('update.cwd: absolute path');
  });

  it('let pass what they do not know', () => {
    expect(brokenAt('session/update', update({ sessionUpdate: '_mine', cwd: 'here' }))).toBeUndefined();
    const odd = { type: 'diff', changes: [{ operation: '_rewrite', path: 5 }] };
    const call = { sessionUpdate: 'tool_call_update', toolCallId: 'c', content: [odd] };
    expect(brokenAt('session/update', update(call))).toBeUndefined();
    expect(
      brokenAt('session/request_permission', permission({ subject: { type: '_mine', cwd: 'x' } })),
    ).toBeUndefined();
  });

  it('want something to choose from, and a title that says something', () => {
    const twice = [1, 2].map(() => ({ optionId: 'yes', name: 'Yes', kind: 'allow_once' }));
    expect(brokenAt('session/request_permission', permission({ options: twice }))).toBe(
      'options.1.optionId: an id of its own',
    );
    expect(brokenAt('session/request_permission', permission({ title: ' ' }))).toBe(
      'title: a title that says something',
    );
    expect(brokenAt('session/request_permission', permission({}))).toBeUndefined();
  });

  it('take only the content and the MCP servers that were advertised', () => {
    const prompt = [{ type: 'image', data: 'AA==', mimeType: 'image/png' }];
    expect(brokenAt('session/prompt', { sessionId, prompt })).toContain('prompt.0.type');
    expect(brokenAt('session/prompt', { sessionId, prompt }, { prompt: { image: null } })).toContain('prompt.0.type');
    expect(brokenAt('session/prompt', { sessionId, prompt }, { prompt: { image: {} } })).toBeUndefined();
    const links = [
      { type: 'text', text: 'hi' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ];
    expect(brokenAt('session/prompt', { sessionId, prompt: links })).toBeUndefined();
    const mcpServers = [{ type: 'stdio', name: 'one', command: '/bin/one' }];
    expect(brokenAt('session/new', { cwd: '/w', mcpServers })).toContain('mcpServers.0.type');
    expect(brokenAt('session/new', { cwd: '/w', mcpServers }, { mcp: { stdio: {} } })).toBeUndefined();
    expect(brokenAt('session/new', { cwd: '/w', mcpServers: [{ type: '_pipe', name: 'two' }] })).toBeUndefined();
  });

  it('are enforced with an error that a peer can be told', () => {
    expect(() => enforceRules('session/new', { cwd: 'work' })).toThrow(/cwd.*absolute path/);
  });
});
