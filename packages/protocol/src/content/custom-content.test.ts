import {
  checkOutgoing,
  formatPath,
  INVALID,
  isCustomContent,
  keepCustomContent,
  takeProblem,
  v1,
  validators,
} from '@parley/protocol';
import { describe, expect, it } from 'vitest';

const CHART = { type: '_chart', points: [1, 2] };
const chunk = (content: unknown) => ({
  sessionId: 's',
  update: { sessionUpdate: 'agent_message_chunk', content },
});
const call = (content: readonly unknown[]) => ({
  sessionId: 's',
  update: { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Draw', content },
});

describe('content of a type that the specification does not name', () => {
  it('is kept whole in a message, a tool call, a summary and a prompt', () => {
    const compaction = { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed', summary: [CHART] };
    for (const message of [
      chunk(CHART),
      chunk({ type: 'video', data: 'AA==' }),
      call([{ type: 'content', content: CHART }, CHART, { type: 'diff', path: '/a', newText: '' }]),
      { sessionId: 's', update: compaction },
    ]) {
      expect(keepCustomContent(validators.SessionNotification, message)).toEqual(message);
    }
    const prompt = { sessionId: 's', prompt: [{ type: 'text', text: 'see' }, CHART] };
    expect(keepCustomContent(v1.requests['session/prompt'].params, prompt)).toEqual(prompt);
    expect(isCustomContent(CHART)).toBe(true);
    expect(isCustomContent({ type: 'audio' })).toBe(false);
  });

  it('changes nothing about how strictly the known types are read', () => {
    expect(keepCustomContent(validators.SessionNotification, chunk({ type: 'text' }))).toBe(INVALID);
    expect(takeProblem().path.join('.')).toBe('update.content.text');
    const read = keepCustomContent(validators.SessionNotification, call([{ type: 'diff' }, CHART]));
    expect(read).toEqual(call([CHART]));
  });

  it('is sent only by those who have declared it', () => {
    const found = (value: unknown, types?: ReadonlySet<string>) => {
      const problem = checkOutgoing(validators.SessionNotification, value, types);
      return problem && `${formatPath(problem.path)} ${problem.received}`;
    };
    expect(found(chunk(CHART))).toBe('update.content.type "_chart"');
    expect(found(call([{ type: 'content', content: CHART }]))).toBe('update.content[0].content.type "_chart"');
    expect(found(chunk(CHART), new Set(['_chart']))).toBeUndefined();
  });
});

describe('a message that is about to be sent', () => {
  it('is refused where a reader would quietly repair it', () => {
    const update = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'x' };
    const found = (fields: object) => {
      const problem = checkOutgoing(validators.SessionUpdate, { ...update, ...fields });
      return problem && `${formatPath(problem.path)} ${problem.received}`;
    };
    expect(found({})).toBeUndefined();
    expect(found({ kind: 'channel' })).toBe('kind "channel"');
    expect(found({ status: 'running' })).toBe('status "running"');
    expect(found({ locations: [{ path: '/a' }, { line: 3 }] })).toBe('locations[1] {"line":3}');
    expect(found({ content: [{ type: 'content', content: { type: 'text', text: 'a', annotations: 5 } }] })).toBe(
      'content[0].content.annotations 5',
    );
    expect(found({ title: 5 })).toBe('title 5');
  });
});
