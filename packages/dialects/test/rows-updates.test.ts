import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { openBorder } from './border.ts';

const text = (value: string) => ({ type: 'text', text: value });
const isValid = (update: unknown): boolean =>
  v1.parseParams('session/update', { sessionId: 's', update }).sessionId === 's';
const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read a file', kind: 'read', status: 'pending' };
const change = { sessionUpdate: 'tool_call_update', toolCallId: 't' };

describe('session/update', () => {
  it('D69 tags updates with "type" in pharo', () => {
    const border = openBorder('pharo');
    const { sessionUpdate, ...rest } = call;
    expect(border.readUpdate({ type: sessionUpdate, ...rest })).toEqual(call);
    expect(border.writeUpdate(call)).toEqual({ type: sessionUpdate, ...rest });
    expect(border.readUpdate({ type: 'something_new', x: 1 })).toEqual({ sessionUpdate: 'something_new', x: 1 });
  });

  it('D70 has messages with a role in pharo, each block of which is a chunk', () => {
    const border = openBorder('pharo');
    const message = (role: string, ...content: unknown[]) => ({ type: 'message', role, content });
    const roles = { agent: 'agent_message_chunk', user: 'user_message_chunk', thought: 'agent_thought_chunk' };
    for (const [role, sessionUpdate] of Object.entries(roles)) {
      expect(border.readUpdates(message(role, text('Hi')))).toEqual([{ sessionUpdate, content: text('Hi') }]);
      expect(border.writeUpdates({ sessionUpdate, content: text('Hi') })).toEqual([message(role, text('Hi'))]);
    }
    expect(border.readUpdate(message('assistant', text('Hi')))).toMatchObject({ sessionUpdate: 'agent_message_chunk' });
    const [first, second] = border.readUpdates(message('agent', text('One'), text('Two')));
    expect([first?.content, second?.content]).toEqual([text('One'), text('Two')]);
    expect(first?.messageId).toEqual(expect.any(String));
    expect(second?.messageId).toBe(first?.messageId);
    expect(isValid(first)).toBe(true);
    expect(border.writeUpdate(first)).toEqual(message('agent', text('One')));
    const ours = { sessionUpdate: 'agent_message_chunk', content: text('Hi'), messageId: 'm1' };
    expect(border.readUpdate(border.writeUpdate(ours))).toEqual(ours);
  });

  it('D71 tells a pharo client thoughts as messages, or leaves them out when strict', () => {
    const thought = { sessionUpdate: 'agent_thought_chunk', content: text('Hm') };
    expect(openBorder('pharo').writeUpdate(thought)).toMatchObject({ type: 'message', role: 'thought' });
    const strict = openBorder('pharo', { strict: true });
    expect(strict.writeUpdates(thought)).toEqual([]);
    expect(strict.notes.map(({ row }) => row)).toEqual(['D71']);
  });

  it('D72 has one location in pharo, and gives the others back to those who keep _meta', () => {
    const border = openBorder('pharo');
    const [here, there] = [{ path: '/w/a', line: 1 }, { path: '/w/b' }];
    expect(border.readUpdate({ type: 'tool_call', toolCallId: 't', title: 'x', location: here })).toMatchObject({
      locations: [here],
    });
    for (const locations of [[here], [here, there], []]) {
      const written = border.writeUpdate({ ...call, locations });
      expect(written.location).toEqual(locations[0]);
      expect(openBorder('pharo').readUpdate(written)).toEqual({ ...call, locations });
    }
  });

  it('D73 has blocks without a wrapper in the content of a pharo tool call', () => {
    const border = openBorder('pharo');
    const content = [{ type: 'content', content: text('x') }];
    expect(border.readUpdate({ type: 'tool_call_update', toolCallId: 't', content: [text('x')] })).toEqual({
      ...change,
      content,
    });
    expect(border.writeUpdate({ ...change, content })).toMatchObject({ content: [text('x')] });
    expect(border.readUpdate({ type: 'tool_call_update', toolCallId: 't', content })).toEqual({ ...change, content });
    const marked = { ...change, content: [{ type: 'content', content: text('x'), _meta: { a: 1 } }] };
    expect(border.readUpdate(border.writeUpdate(marked))).toEqual(marked);
  });

  it('D74 keeps the media type of a diff of pharo', () => {
    const border = openBorder('pharo');
    const diff = { type: 'diff', path: '/w/a', oldText: 'a', newText: 'b', mimeType: 'text/plain' };
    const read = border.readUpdate({ type: 'tool_call_update', toolCallId: 't', content: [diff] });
    expect(read.content).toEqual([
      { type: 'diff', path: '/w/a', oldText: 'a', newText: 'b', _meta: { dialect: { mimeType: 'text/plain' } } },
    ]);
    expect(border.writeUpdate(read).content).toEqual([diff]);
  });

  it('D75 shows a new file by an empty old text in pharo, and takes an empty old text as it is', () => {
    const border = openBorder('pharo');
    const diff = { type: 'diff', path: '/w/a', newText: 'b' };
    const written = border.writeUpdate({ ...change, content: [{ ...diff, oldText: null }] });
    expect(written.content).toMatchObject([{ oldText: '' }]);
    expect(border.readUpdate(written)).toEqual({ ...change, content: [{ ...diff, oldText: null }] });
    const foreign = { type: 'tool_call_update', toolCallId: 't', content: [{ ...diff, oldText: '' }] };
    expect(border.readUpdate(foreign)).toEqual({ ...change, content: [{ ...diff, oldText: '' }] });
  });

  it('D76 tells command and exit code of a terminal in pharo, as heard or as known', () => {
    const border = openBorder('pharo');
    const terminal = { type: 'terminal', terminalId: 'x', command: 'npm test', exitCode: 0 };
    const read = border.readUpdate({ type: 'tool_call_update', toolCallId: 't', content: [terminal] });
    expect(read.content).toEqual([
      { type: 'terminal', terminalId: 'x', _meta: { dialect: { command: 'npm test', exitCode: 0 } } },
    ]);
    expect(border.writeUpdate(read).content).toEqual([terminal]);

    border.readResult('terminal/create', { terminalId: 'y' }, { sessionId: 's', command: 'make', args: ['all'] });
    border.readResult('terminal/output', { output: 'done', exitCode: 2 }, { sessionId: 's', terminalId: 'y' });
    const ours = border.writeUpdate({ ...change, content: [{ type: 'terminal', terminalId: 'y' }] });
    expect(ours.content).toEqual([{ type: 'terminal', terminalId: 'y', command: 'make all', exitCode: 2 }]);
  });

  it('D77 takes plans and commands of pharo with the fields that ACP has', () => {
    const border = openBorder('pharo');
    const plan = { sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'high', status: 'pending' }] };
    expect(border.writeUpdate(plan)).toEqual({ type: 'plan', entries: plan.entries });
    expect(border.readUpdate({ type: 'plan', entries: plan.entries })).toEqual(plan);
    const commands = {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'a', description: 'b' }],
    };
    expect(border.readUpdate(border.writeUpdate(commands))).toEqual(commands);
  });

  it('D78 repeats the whole tool call to a harness client, and leaves out what it has no word for', () => {
    const border = openBorder('harness');
    border.writeUpdate({ ...call, rawInput: { path: '/w/a' } });
    expect(border.writeUpdate({ ...change, status: 'completed', rawOutput: 'x' })).toMatchObject({
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 'Read a file',
      status: 'completed',
      rawInput: { path: '/w/a' },
      rawOutput: 'x',
    });
    expect(border.writeUpdate({ ...change, toolCallId: 'unseen', status: 'failed' })).toMatchObject({
      title: 'unseen',
    });
    expect(border.writeUpdates({ sessionUpdate: 'current_mode_update', currentModeId: 'x' })).toEqual([]);
    expect(border.writeUpdates({ sessionUpdate: 'user_message_chunk', content: text('Hi') })).toEqual([]);
    expect(border.notes.map(({ row }) => row)).toEqual(['D78', 'D78']);
  });

  it('D79 reads a repeated tool call of harness as a change of the first', () => {
    const border = openBorder('harness');
    const foreign = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Custom', status: 'pending' };
    expect(border.readUpdate(foreign)).toEqual(foreign);
    const completed = border.readUpdate({ ...foreign, status: 'completed' });
    expect(completed).toEqual({ ...foreign, sessionUpdate: 'tool_call_update', status: 'completed' });
    border.write({
      jsonrpc: '2.0',
      id: 1,
      method: 'session/load',
      params: { sessionId: 's', cwd: '/w', mcpServers: [] },
    });
    expect(border.readUpdate(foreign)).toEqual(foreign);
  });

  it('D80 says "running" in harness', () => {
    const border = openBorder('harness');
    expect(border.readUpdate({ ...call, status: 'running' })).toMatchObject({ status: 'in_progress' });
    expect(openBorder('harness').writeUpdate({ ...call, status: 'in_progress' })).toMatchObject({ status: 'running' });
  });

  it('D81 has the name of the tool for a title and no kind in harness', () => {
    const border = openBorder('harness');
    const kinds = {
      Read: 'read',
      Edit: 'edit',
      Write: 'edit',
      Bash: 'execute',
      Grep: 'search',
      Glob: 'search',
      WebFetch: 'fetch',
    };
    for (const [title, kind] of Object.entries(kinds)) {
      const foreign = { sessionUpdate: 'tool_call', toolCallId: title, title, status: 'pending' };
      const read = border.readUpdate(foreign);
      expect(read).toMatchObject({ title, name: title, kind, _meta: { dialect: { derived: ['name', 'kind'] } } });
      expect(border.writeUpdate(read)).toEqual(foreign);
    }
    const custom = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Summon' };
    expect(border.readUpdate(custom)).toEqual(custom);
    const ours = { ...call, toolCallId: 'o', name: 'read_file' };
    const written = border.writeUpdate(ours);
    expect(written).toMatchObject({ title: 'read_file' });
    expect(written).not.toHaveProperty('kind');
    expect(openBorder('harness').readUpdate(written)).toEqual(ours);
    expect(openBorder('overview').readUpdate({ ...custom, title: 'Read' })).not.toHaveProperty('kind');
  });

  it('D82 tags tool calls with "kind" in one chapter of go and "sessionUpdate" in another; both are written', () => {
    const border = openBorder('go');
    const { sessionUpdate: _tag, kind: toolKind, ...rest } = call;
    expect(border.readUpdate({ ...rest, kind: 'tool_call', toolKind })).toEqual(call);
    expect(openBorder('go').readUpdate({ ...rest, sessionUpdate: 'tool_call', toolKind })).toEqual(call);
    expect(openBorder('go').readUpdate(call)).toEqual(call);
    expect(border.writeUpdate(call)).toEqual({ ...rest, sessionUpdate: 'tool_call', kind: 'tool_call', toolKind });
  });

  it('D83 calls the kind of a tool toolKind in go, but kind in permission questions', () => {
    expect(openBorder('go').writeUpdate(call)).toMatchObject({ toolKind: 'read' });
    const params = { sessionId: 's', toolCall: { toolCallId: 't', title: 'x', kind: 'edit' }, options: [] };
    expect(openBorder('go').readParams('session/request_permission', params)).toEqual(params);
    expect(openBorder('go').writeParams('session/request_permission', params)).toEqual(params);
  });

  it('D84 knows cancelled calls in go, and always tells a status', () => {
    const border = openBorder('go');
    const foreign = { kind: 'tool_call_update', toolCallId: 't', status: 'cancelled' };
    const read = border.readUpdate(foreign);
    expect(read).toEqual({ ...change, status: 'failed', _meta: { dialect: { status: 'cancelled' } } });
    expect(isValid(read)).toBe(true);
    expect(border.writeUpdate(read)).toMatchObject(foreign);
    const writing = openBorder('go');
    expect(writing.writeUpdate({ ...change, title: 'x' })).toMatchObject({ status: 'pending' });
    writing.writeUpdate({ ...call, status: 'in_progress' });
    const filled = writing.writeUpdate({ ...change, title: 'x' });
    expect(filled).toMatchObject({ status: 'in_progress' });
    expect(openBorder('go').readUpdate(filled)).toEqual({ ...change, title: 'x' });
  });

  it('D85 has the input of a tool as a map in go', () => {
    for (const rawInput of [{ a: 1 }, 'text', 3, null, [1]]) {
      const written = openBorder('go').writeUpdate({ ...call, rawInput });
      expect(written.input).toEqual(
        Object.prototype.toString.call(rawInput) === '[object Object]' ? rawInput : { value: rawInput },
      );
      expect(openBorder('go').readUpdate(written)).toEqual({ ...call, rawInput });
    }
  });

  it('D86 calls the content of a tool call output in go, and has no place for raw output and locations', () => {
    const full = {
      ...call,
      content: [{ type: 'content', content: text('x') }],
      rawOutput: { n: 1 },
      locations: [{ path: '/w/a' }],
    };
    const written = openBorder('go').writeUpdate(full);
    expect(written).toMatchObject({ output: full.content });
    for (const name of ['content', 'rawOutput', 'locations', 'rawInput']) expect(written).not.toHaveProperty(name);
    expect(openBorder('go').readUpdate(written)).toEqual(full);
  });

  it('D87 calls the texts of a diff oldContent and newContent in go, and leaves empty ones out', () => {
    const border = openBorder('go');
    const read = (diff: object) =>
      (border.readUpdate({ ...change, output: [{ type: 'diff', path: '/a', ...diff }] }).content as unknown[])[0];
    expect(read({ oldContent: 'a', newContent: 'b' })).toEqual({
      type: 'diff',
      path: '/a',
      oldText: 'a',
      newText: 'b',
    });
    expect(read({ newContent: 'b' })).toEqual({ type: 'diff', path: '/a', oldText: null, newText: 'b' });
    expect(read({ oldContent: 'a' })).toEqual({ type: 'diff', path: '/a', oldText: 'a', newText: '' });
    const diffs = [
      { type: 'diff', path: '/a', oldText: null, newText: 'b' },
      { type: 'diff', path: '/b', oldText: '', newText: '' },
    ];
    expect(border.writeUpdate({ ...change, content: diffs }).output).toEqual([
      { type: 'diff', path: '/a', newContent: 'b' },
      { type: 'diff', path: '/b', oldContent: '', newContent: '' },
    ]);
    expect(border.readUpdate(border.writeUpdate({ ...change, content: diffs })).content).toEqual(diffs);
  });

  it('D88 leaves out a terminal of go that has no id, and writes ours with it', () => {
    const border = openBorder('go');
    const output = [{ type: 'terminal' }, { type: 'terminal', terminalId: 'x' }];
    expect(border.readUpdate({ ...change, output }).content).toEqual([{ type: 'terminal', terminalId: 'x' }]);
    expect(border.notes.map(({ row }) => row)).toEqual(['D88']);
    expect(border.writeUpdate({ ...change, content: [output[1]] }).output).toEqual([output[1]]);
  });

  it('D89 has a plan of steps in go, and gives priorities and progress back to those who keep _meta', () => {
    const border = openBorder('go');
    const foreign = { plan: { description: 'Fix it', steps: ['Look', 'Change'] } };
    const read = border.readUpdate(foreign);
    expect(read).toMatchObject({
      sessionUpdate: 'plan',
      entries: [
        { content: 'Look', priority: 'medium', status: 'pending' },
        { content: 'Change', priority: 'medium', status: 'pending' },
      ],
    });
    expect(border.writeUpdate(read)).toEqual(foreign);
    const ours = { sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'high', status: 'completed' }] };
    expect(border.writeUpdate(ours)).toMatchObject({ plan: { description: '', steps: ['Look'] } });
    expect(border.readUpdate(border.writeUpdate(ours))).toEqual(ours);
    const unstable = { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [] } };
    expect(border.readUpdate(unstable)).toEqual(unstable);
  });

  it('D90 sends an overview client everything, or only what it names when strict', () => {
    const thought = { sessionUpdate: 'agent_thought_chunk', content: text('Hm') };
    const mode = { sessionUpdate: 'current_mode_update', currentModeId: 'x' };
    expect(openBorder('overview').writeUpdate(thought)).toEqual(thought);
    expect(openBorder('overview').writeUpdate(mode)).toEqual(mode);
    const strict = openBorder('overview', { strict: true });
    expect([thought, mode].flatMap((update) => strict.writeUpdates(update))).toEqual([]);
    expect(strict.notes.map(({ row }) => row)).toEqual(['D90', 'D90']);
  });

  it.each(['overview', 'go', 'pharo'] as const)('D91 calls switch_mode other in %s', (dialect) => {
    const ours = { ...call, kind: 'switch_mode' };
    const written = openBorder(dialect).writeUpdate(ours);
    expect(written.toolKind ?? written.kind).toBe('other');
    expect(openBorder(dialect).readUpdate(written)).toEqual(ours);
  });

  it('D92 wraps raw input and output that are no objects for overview', () => {
    const ours = { ...call, rawInput: 'ls', rawOutput: [1] };
    const written = openBorder('overview').writeUpdate(ours);
    expect(written).toMatchObject({ rawInput: { value: 'ls' }, rawOutput: { value: [1] } });
    expect(openBorder('overview').readUpdate(written)).toEqual(ours);
  });

  it('D93 shows an overview client what a terminal has printed in place of the terminal', () => {
    const border = openBorder('overview');
    border.readResult('terminal/output', { output: 'All good', truncated: false }, { sessionId: 's', terminalId: 'x' });
    const ours = { ...change, content: [{ type: 'terminal', terminalId: 'x' }] };
    const written = border.writeUpdate(ours);
    expect(written.content).toMatchObject([{ type: 'content', content: text('All good') }]);
    expect(border.readUpdate(written)).toEqual(ours);
    const unknown = border.writeUpdate({ ...change, content: [{ type: 'terminal', terminalId: 'y' }] });
    expect(unknown.content).toMatchObject([{ content: { text: '[terminal y]' } }]);
  });

  it('D94 begins tool calls in progress for elephant', () => {
    const border = openBorder('elephant');
    for (const ours of [call, { ...call, status: undefined }, { ...change, status: 'pending' }]) {
      const canonical = JSON.parse(JSON.stringify(ours));
      const written = border.writeUpdate(canonical);
      expect(written.status).toBe('in_progress');
      expect(openBorder('elephant').readUpdate(written)).toEqual(canonical);
    }
    expect(border.writeUpdate({ ...call, status: 'completed' })).toMatchObject({ status: 'completed' });
  });

  it('D95 sends elephant fields that it does not name, for it may ignore them', () => {
    const border = openBorder('elephant');
    const ours = { ...call, status: 'in_progress', content: [{ type: 'content', content: text('x') }], rawOutput: 1 };
    expect(border.writeUpdate(ours)).toEqual(ours);
    const titled = { ...change, title: 'New', rawInput: { a: 1 } };
    expect(border.writeUpdate(titled)).toEqual(titled);
  });

  it('D96 tells elephant thoughts and commands unless strict', () => {
    const thought = { sessionUpdate: 'agent_thought_chunk', content: text('Hm') };
    const commands = { sessionUpdate: 'available_commands_update', availableCommands: [] };
    const lenient = openBorder('elephant');
    expect([thought, commands].flatMap((update) => lenient.writeUpdates(update))).toEqual([thought, commands]);
    const strict = openBorder('elephant', { strict: true });
    expect([thought, commands].flatMap((update) => strict.writeUpdates(update))).toEqual([]);
    expect(strict.notes.map(({ row }) => row)).toEqual(['D96', 'D96']);
  });

  it('D97 tells the current mode in elephant as ACP does', () => {
    const mode = { sessionUpdate: 'current_mode_update', currentModeId: 'safe' };
    expect(openBorder('elephant').readUpdate(mode)).toEqual(mode);
    expect(openBorder('elephant').writeUpdate(mode)).toEqual(mode);
  });
});
