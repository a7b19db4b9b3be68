import {
  AUDIO_MIME_TYPES,
  checkRules,
  enforceRules,
  formatPath,
  IMAGE_MIME_TYPES,
  isAbsolutePath,
  type Problem,
  ValidationError,
} from '@parley/protocol';
import { describe, expect, it } from 'vitest';

const permission = { optionId: 'a', name: 'Allow', kind: 'allow_once' } as const;

function told(problem: Problem | undefined): string | undefined {
  return problem && `${formatPath(problem.path)}: expected ${problem.expected}, got ${problem.received}`;
}

describe('isAbsolutePath', () => {
  it.each(['/', '/home/me', 'C:\\work', 'c:/work', '\\\\server\\share\\x', '//server/share'])('accepts %s', (path) => {
    expect(isAbsolutePath(path)).toBe(true);
  });

  it.each(['', '.', 'src', './src', '../x', '~/x', 'C:work', 'C:', '\\work', '\\\\server', 'file:///x', '/a\0b'])(
    'refuses %j',
    (path) => {
      expect(isAbsolutePath(path)).toBe(false);
    },
  );
});

describe('the rules that the schema does not express', () => {
  it('want absolute paths wherever the protocol has paths', () => {
    expect(told(checkRules('session/new', { cwd: 'src', mcpServers: [] }))).toBe(
      'cwd: expected absolute path, got a relative path',
    );
    expect(
      told(checkRules('session/load', { sessionId: 's', cwd: '/', additionalDirectories: ['/a', ''], mcpServers: [] })),
    ).toBe('additionalDirectories[1]: expected absolute path, got an empty string');
    expect(told(checkRules('session/resume', { sessionId: 's', cwd: '/a\0' }))).toBe(
      'cwd: expected absolute path, got a path with NUL',
    );
    expect(told(checkRules('session/list', { cwd: 'x' }))).toContain('cwd');
    expect(told(checkRules('fs/write_text_file', { sessionId: 's', path: 'x', content: '' }))).toContain('path');
    expect(told(checkRules('terminal/create', { sessionId: 's', command: 'ls', cwd: 'x' }))).toContain('cwd');
    expect(checkRules('session/list', { cwd: null })).toBeUndefined();
    expect(checkRules('session/new', { cwd: 'C:\\work', mcpServers: [] })).toBeUndefined();
  });

  it('count lines from one', () => {
    expect(told(checkRules('fs/read_text_file', { sessionId: 's', path: '/a', line: 0 }))).toBe(
      'line: expected line number from 1, got 0',
    );
    expect(checkRules('fs/read_text_file', { sessionId: 's', path: '/a', line: 1 })).toBeUndefined();
  });

  it('look into the files that a tool call names', () => {
    const update = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'x' } as const;
    const locations = [{ path: '/a' }, { path: '/b', line: 0 }];
    expect(told(checkRules('session/update', { sessionId: 's', update: { ...update, locations } }))).toBe(
      'update.locations[1].line: expected line number from 1, got 0',
    );
    const content = [{ type: 'diff', path: 'b.ts', newText: '' }] as const;
    expect(told(checkRules('session/update', { sessionId: 's', update: { ...update, content: [...content] } }))).toBe(
      'update.content[0].path: expected absolute path, got a relative path',
    );
  });

  it('want at least one permission option, each with an id of its own', () => {
    const request = { sessionId: 's', toolCall: { toolCallId: 't' } };
    expect(told(checkRules('session/request_permission', { ...request, options: [] }))).toBe(
      'options: expected at least one option, got an empty list',
    );
    expect(told(checkRules('session/request_permission', { ...request, options: [permission, permission] }))).toContain(
      'options[1].optionId',
    );
    expect(checkRules('session/request_permission', { ...request, options: [permission] })).toBeUndefined();
  });

  it('allow only the content that the agent advertised', () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
    const prompt = { sessionId: 's', prompt: [{ type: 'text', text: 'see' } as const, image] };
    expect(told(checkRules('session/prompt', prompt))).toBe(
      'prompt[1].type: expected content that the agent advertised in promptCapabilities, got "image"',
    );
    expect(checkRules('session/prompt', prompt, { promptCapabilities: { image: true } })).toBeUndefined();
  });

  it('want a prompt to hold something', () => {
    expect(told(checkRules('session/prompt', { sessionId: 's', prompt: [] }))).toBe(
      'prompt: expected at least one content block, got an empty list',
    );
  });

  it('allow every kind of image and sound, unless some are named', () => {
    const any = { promptCapabilities: { image: true, audio: true } };
    const context = { ...any, imageMimeTypes: IMAGE_MIME_TYPES, audioMimeTypes: AUDIO_MIME_TYPES };
    const image = (mimeType: string) => ({
      sessionId: 's',
      prompt: [{ type: 'image' as const, data: 'AA==', mimeType }],
    });
    const audio = (mimeType: string) => ({
      sessionId: 's',
      prompt: [{ type: 'audio' as const, data: 'AA==', mimeType }],
    });
    expect(checkRules('session/prompt', image('image/heic'), any)).toBeUndefined();
    expect(checkRules('session/prompt', audio('audio/webm'), any)).toBeUndefined();
    expect(told(checkRules('session/prompt', image('image/tiff'), context))).toBe(
      'prompt[0].mimeType: expected one of image/png, image/jpeg, image/gif, image/webp, image/svg+xml, got "image/tiff"',
    );
    expect(
      checkRules('session/prompt', image('image/tiff'), { ...context, imageMimeTypes: ['image/tiff'] }),
    ).toBeUndefined();
    expect(checkRules('session/prompt', audio('Audio/OGG; codecs=opus'), context)).toBeUndefined();
    expect(checkRules('session/prompt', audio('image/png'), context)).toBeDefined();
  });

  it('allow content of your own under a name that begins with an underscore, and no other', () => {
    const prompt = (type: string) => ({ sessionId: 's', prompt: [{ type } as never] });
    expect(checkRules('session/prompt', prompt('_chart'))).toBeUndefined();
    expect(told(checkRules('session/prompt', prompt('video')))).toBe(
      'prompt[0].type: expected a content type of the specification, or one that begins with "_", got "video"',
    );
  });

  it('want the required fields of a block to say something', () => {
    const context = { promptCapabilities: { image: true, embeddedContext: true } };
    const prompt = (block: object) => ({ sessionId: 's', prompt: [block as never] });
    expect(
      told(checkRules('session/prompt', prompt({ type: 'image', data: '', mimeType: 'image/png' }), context)),
    ).toBe('prompt[0].data: expected a non-empty string, got an empty string');
    expect(told(checkRules('session/prompt', prompt({ type: 'resource_link', name: 'a', uri: '' })))).toContain(
      'prompt[0].uri',
    );
    expect(
      told(checkRules('session/prompt', prompt({ type: 'resource', resource: { uri: '', text: 'x' } }), context)),
    ).toContain('prompt[0].resource.uri');
    expect(checkRules('session/prompt', prompt({ type: 'text', text: '' }))).toBeUndefined();
  });

  it('allow only MCP transports that the agent advertised', () => {
    const params = { cwd: '/', mcpServers: [{ type: 'sse' as const, name: 'a', url: 'http://x', headers: [] }] };
    expect(told(checkRules('session/new', params))).toBe(
      'mcpServers[0].type: expected a transport advertised in mcpCapabilities, got "sse"',
    );
    expect(checkRules('session/new', params, { mcpCapabilities: { sse: true } })).toBeUndefined();
  });

  it('want an MCP server to have a name and to be within reach', () => {
    const stdio = { name: 'files', command: 'mcp-files', args: [], env: [] };
    const found = (server: object) =>
      told(
        checkRules(
          'session/new',
          { cwd: '/', mcpServers: [stdio, server as never] },
          { mcpCapabilities: { http: true } },
        ),
      );
    expect(found(stdio)).toBeUndefined();
    expect(found({ ...stdio, name: '' })).toBe('mcpServers[1].name: expected a non-empty string, got an empty string');
    expect(found({ ...stdio, command: '' })).toContain('mcpServers[1].command');
    expect(found({ type: 'http', name: 'web', url: '', headers: [] })).toContain('mcpServers[1].url');
  });

  it('become invalid params for the peer', () => {
    expect(() => enforceRules('session/list', { cwd: 'x' })).toThrow(ValidationError);
    expect(() => enforceRules('session/list', {})).not.toThrow();
  });

  it('say nothing about methods that have none, whatever their name', () => {
    expect(checkRules('constructor' as 'logout', {})).toBeUndefined();
    expect(checkRules('logout', {})).toBeUndefined();
  });
});
