import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { openBorder } from './border.ts';

const METHOD = 'session/request_permission';
const options = [
  { optionId: 'a', name: 'Allow', kind: 'allow_once' },
  { optionId: 'b', name: 'Always', kind: 'allow_always' },
  { optionId: 'c', name: 'No', kind: 'reject_once' },
  { optionId: 'd', name: 'Never', kind: 'reject_always' },
];
const toolCall = { toolCallId: 't', title: 'Run npm test', kind: 'execute', locations: [{ path: '/w/package.json' }] };
const ours = { sessionId: 's', toolCall, options };
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });

describe('permission', () => {
  it('D98 asks with a message and without a tool call in harness', () => {
    const border = openBorder('harness');
    const foreign = {
      sessionId: 's',
      options: [{ optionId: 'a', kind: 'allow_once', label: 'Allow' }],
      message: 'Read it?',
    };
    const read = border.readParams(METHOD, foreign);
    expect(read.toolCall).toEqual({ toolCallId: expect.stringMatching(/^perm-/), title: 'Read it?' });
    v1.parseParams(METHOD, read);
    expect(border.writeParams(METHOD, read)).toEqual(foreign);
    border.readUpdate({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Read', status: 'completed' });
    border.readUpdate({ sessionUpdate: 'tool_call', toolCallId: 't2', title: 'Read', status: 'pending' });
    expect(border.readParams(METHOD, foreign).toolCall).toMatchObject({ toolCallId: 't2' });
    border.readUpdate({ sessionUpdate: 'tool_call', toolCallId: 't3', title: 'Read', status: 'pending' });
    expect(border.readParams(METHOD, foreign).toolCall).toMatchObject({ toolCallId: expect.stringMatching(/^perm-/) });
    const written = border.writeParams(METHOD, ours);
    expect(written).toMatchObject({ message: 'Run npm test (/w/package.json)' });
    expect(written).not.toHaveProperty('toolCall');
    expect(openBorder('harness').readParams(METHOD, written)).toEqual(ours);
  });

  it.each(['harness', 'pharo'] as const)('D99 labels options in %s', (dialect) => {
    const written = openBorder(dialect).writeParams(METHOD, ours);
    expect((written.options as { label: string }[]).map(({ label }) => label)).toEqual([
      'Allow',
      'Always',
      'No',
      'Never',
    ]);
    expect((written.options as object[])[0]).not.toHaveProperty('name');
    expect(openBorder(dialect).readParams(METHOD, written).options).toEqual(options);
  });

  it('D100 has one kind of rejection in harness; the id tells which', () => {
    const border = openBorder('harness');
    const written = border.writeParams(METHOD, ours).options as { kind: string; optionId: string }[];
    expect(written.map(({ optionId, kind }) => [optionId, kind])).toEqual([
      ['a', 'allow_once'],
      ['b', 'allow_always'],
      ['c', 'deny'],
      ['d', 'deny'],
    ]);
    const read = border.readParams(METHOD, {
      sessionId: 's',
      message: 'm',
      options: [{ optionId: 'x', label: 'No', kind: 'deny' }],
    });
    expect(read.options).toEqual([{ optionId: 'x', name: 'No', kind: 'reject_once' }]);
  });

  it('D101 asks with a title and a description in pharo', () => {
    const border = openBorder('pharo');
    const foreign = {
      sessionId: 's',
      title: 'Delete?',
      description: 'Old logs',
      options: [{ optionId: 'a', kind: 'allow_once', label: 'Yes' }],
    };
    const read = border.readParams(METHOD, foreign);
    expect(read.toolCall).toMatchObject({
      title: 'Delete?',
      content: [{ type: 'content', content: { type: 'text', text: 'Old logs' } }],
    });
    v1.parseParams(METHOD, read);
    expect(border.writeParams(METHOD, read)).toEqual(foreign);
    const explained = { ...toolCall, content: [{ type: 'content', content: { type: 'text', text: 'Because.' } }] };
    const written = border.writeParams(METHOD, { ...ours, toolCall: explained });
    expect(written).toMatchObject({ title: 'Run npm test', description: 'Because.' });
    expect(openBorder('pharo').readParams(METHOD, written)).toEqual({ ...ours, toolCall: explained });
  });

  it('D102 answers with the chosen id in pharo, and reads everything else as no choice', () => {
    const border = openBorder('pharo');
    expect(border.readResult(METHOD, { selectedOptionId: 'a' })).toEqual(selected('a'));
    for (const nothing of [{ selectedOptionId: null }, {}, null, { selectedOptionId: 7 }]) {
      expect(border.readResult(METHOD, nothing)).toEqual({ outcome: { outcome: 'cancelled' } });
    }
    expect(border.writeResult(METHOD, selected('a'))).toEqual({ selectedOptionId: 'a' });
    expect(border.writeResult(METHOD, { outcome: { outcome: 'cancelled' } })).toEqual({ selectedOptionId: null });
  });

  it('D103 reads the outcome in one level, as the flow of go shows it, and writes it in two', () => {
    const border = openBorder('go');
    expect(border.readResult(METHOD, { outcome: 'selected', optionId: 'a' })).toEqual(selected('a'));
    expect(border.readResult(METHOD, { outcome: 'cancelled' })).toEqual({ outcome: { outcome: 'cancelled' } });
    expect(border.readResult(METHOD, { outcome: 'selected' })).toEqual({ outcome: { outcome: 'cancelled' } });
    expect(border.readResult(METHOD, { outcome: 'approved', optionId: 'a' })).toEqual({
      outcome: { outcome: 'cancelled' },
    });
    expect(border.writeResult(METHOD, selected('a'))).toEqual(selected('a'));
  });

  it('D104 tells go id, title and kind of the call, from memory where the question leaves them out', () => {
    const border = openBorder('go');
    expect(border.writeParams(METHOD, ours).toolCall).toEqual({
      toolCallId: 't',
      title: 'Run npm test',
      kind: 'execute',
    });
    border.writeUpdate({ sessionUpdate: 'tool_call', toolCallId: 'k', title: 'Known', kind: 'edit' });
    const written = border.writeParams(METHOD, { ...ours, toolCall: { toolCallId: 'k' } });
    expect(written.toolCall).toEqual({ toolCallId: 'k', title: 'Known', kind: 'edit' });
    expect(openBorder('go').readParams(METHOD, written).toolCall).toEqual({ toolCallId: 'k' });
    const unknown = border.writeParams(METHOD, { ...ours, toolCall: { toolCallId: 'u' } });
    expect(unknown.toolCall).toEqual({ toolCallId: 'u', title: 'Permission required', kind: 'other' });
  });

  it('D105 offers elephant two options, and understands its choice in ours', () => {
    const border = openBorder('elephant');
    border.write({ jsonrpc: '2.0', id: 1, method: METHOD, params: ours });
    const two = border.writeParams(METHOD, ours).options;
    expect(two).toEqual([
      { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'reject_once', name: 'No', kind: 'reject_once' },
    ]);
    expect(border.read({ jsonrpc: '2.0', id: 1, result: selected('reject_once') })).toEqual([
      { jsonrpc: '2.0', id: 1, result: selected('c') },
    ]);
    const always = [options[1], options[0]];
    const preferred = openBorder('elephant');
    preferred.write({ jsonrpc: '2.0', id: 2, method: METHOD, params: { ...ours, options: always } });
    expect(preferred.read({ jsonrpc: '2.0', id: 2, result: selected('allow_once') })).toMatchObject([
      { result: selected('a') },
    ]);
  });

  it('D105 offers elephant no approval where there are several answers to choose from', () => {
    const answers = ['Production', 'Test'].map((name) => ({ optionId: name, name, kind: 'allow_once' }));
    const written = openBorder('elephant').writeParams(METHOD, { ...ours, options: [...answers, ...options] });
    expect(written.options).toEqual([{ optionId: 'reject_once', name: 'No', kind: 'reject_once' }]);
  });

  it.each(['overview', 'elephant'] as const)('D106 asks and answers in %s as in ACP otherwise', (dialect) => {
    const border = openBorder(dialect);
    const question = {
      sessionId: 's',
      toolCall,
      options: [
        { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
        { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
      ],
    };
    expect(border.readParams(METHOD, question)).toEqual(question);
    expect(border.writeParams(METHOD, question)).toEqual(question);
    expect(border.readResult(METHOD, selected('allow_once'))).toEqual(selected('allow_once'));
    expect(border.writeResult(METHOD, selected('allow_once'))).toEqual(selected('allow_once'));
  });
});
