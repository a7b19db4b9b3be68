import { applyEvent, createTranscript, type Transcript, type TranscriptEvent } from '@parley/client';
import { noticeMark } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { chooseMarks } from './marks.ts';
import { TextWriter } from './text-writer.ts';
import type { ViewOptions } from './view-options.ts';

const VIEW: ViewOptions = {
  width: 80,
  marks: chooseMarks({ LANG: 'C.UTF-8' }),
  cwd: '/proj',
  isDetailed: false,
  showsAll: '--verbose',
  showsThoughts: true,
  now: 0,
};

const EDIT: TranscriptEvent = {
  type: 'tool_call',
  toolCallId: 't1',
  title: 'Edit a.ts',
  kind: 'edit',
  status: 'completed',
  content: [{ type: 'diff', path: '/proj/a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\n' }],
};
const said = (text: string): TranscriptEvent => ({
  type: 'message_chunk',
  speaker: 'agent',
  content: { type: 'text', text },
});
const asked = (text: string): TranscriptEvent => ({ ...said(text), speaker: 'user' }) as TranscriptEvent;

/** Follows a log as `sessions watch` does, and tells its entries as `sessions history` does. */
function write(events: readonly TranscriptEvent[], options: Partial<ViewOptions> = {}) {
  const view = (): ViewOptions => ({ ...VIEW, ...options });
  const paint = { hasColor: false, isStyled: false };
  let followed = '';
  let told = '';
  const following = new TextWriter({ view, paint, write: (text) => (followed += text) });
  const telling = new TextWriter({ view, paint, write: (text) => (told += text) });
  let transcript: Transcript = createTranscript();
  for (const event of events) {
    transcript = applyEvent(transcript, event, 0);
    following.follow(event, transcript);
  }
  for (const entry of transcript.entries) telling.entry(entry, transcript);
  telling.endTurn(transcript.turns.at(-1));
  return { followed, told };
}

describe('a conversation as text', () => {
  it('has what was said, a line for each thing that was done with what it changed, and how the turn ended', () => {
    const { followed, told } = write([
      { type: 'turn_started', prompt: [] },
      asked('change it\nplease'),
      said('I '),
      said('will.'),
      { ...EDIT, status: 'in_progress', content: [] } as TranscriptEvent,
      EDIT,
      said('Done.'),
      { type: 'turn_ended', stopReason: 'end_turn' },
    ]);
    const ending = [
      '[tool] Edit a.ts (completed, +1 -1)',
      '    1   one',
      '    2 - two',
      '    2 + 2',
      '',
      'Done.',
      '[done] end_turn',
      '',
    ];
    expect(told.split('\n')).toEqual(['> change it', '> please', 'I will.', ...ending]);
    expect(followed.split('\n')).toEqual([
      ...['> change it', '> please', 'I will.', '[tool] Edit a.ts (running)'],
      ...ending,
    ]);
  });

  it('tells the end of what a command printed, and what shows the rest', () => {
    const text = Array.from({ length: 9 }, (_, index) => `row ${index + 1}`).join('\n');
    const run: TranscriptEvent = {
      type: 'tool_call',
      toolCallId: 't1',
      title: 'npm test',
      kind: 'execute',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text } }],
    };
    const { told } = write([run]);
    expect(told.split('\n').slice(0, 3)).toEqual([
      '[tool] npm test (completed)',
      '    … 4 earlier lines (--verbose shows all)',
      '    row 5',
    ]);
    expect(write([run], { isDetailed: true }).told).toContain('    row 1\n');
  });

  it('leaves out what files contain where that is asked for, also in detail', () => {
    const read: TranscriptEvent = {
      type: 'tool_call',
      toolCallId: 't1',
      title: 'Read .env',
      kind: 'read',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'KEY=1' } }],
    };
    expect(write([read], { isDetailed: true }).told).toContain('KEY=1');
    expect(write([read], { isDetailed: true, hidesReads: true }).told).toBe('[tool] Read .env (completed)\n');
  });

  it('writes a notice that changes when it comes and when it has its last words', () => {
    const notice = (title: string, isOpen: boolean): TranscriptEvent => ({
      type: 'notice',
      severity: 'warning',
      title,
      meta: noticeMark({ id: 'a', isOpen }),
    });
    const { followed } = write([notice('In 2 s', true), notice('In 4 s', true), notice('Tried 3 times', false)]);
    expect(followed).toBe('[notice] In 2 s\n[notice] Tried 3 times\n');
  });

  it('tells of pictures, notices, a shortened context and, in detail, what nobody knows', () => {
    const events: TranscriptEvent[] = [
      { type: 'message_chunk', speaker: 'agent', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } },
      { type: 'notice', severity: 'warning', title: 'Slow', description: 'the model\nis busy' },
      { type: 'compaction', compactionId: 'c1', status: 'completed' },
      { type: 'unknown', variant: 'weather', raw: { rain: true } },
    ];
    const lines = [
      '[image image/png, 3 B]',
      '[notice] Slow: the model is busy',
      '[notice] The agent made its context shorter (completed)',
    ];
    expect(write(events).followed.trim().split('\n')).toEqual(lines);
    expect(write(events, { isDetailed: true }).followed).toContain('[notice] Unknown update "weather"\n');
  });

  it('tells of several plans by their ids, with steps that were given up, and of the end of one', () => {
    const step = (content: string, status: string) => ({ content, priority: 'low', status }) as const;
    const { followed } = write([
      { type: 'plan', planId: 'a', entries: [step('one', 'cancelled')] },
      { type: 'plan', planId: 'b', entries: [], document: { uri: 'file:///plan.md' } },
      { type: 'plan', planId: 'a', entries: [], isRemoved: true },
    ]);
    const lines = followed.trim().split('\n');
    expect(lines).toEqual([
      '[plan]',
      expect.stringMatching(/one$/),
      '[plan b]',
      '    file:///plan.md',
      '[plan a, removed]',
    ]);
  });

  it('tells of calls that wait or were cancelled, of words that nobody knows, and of changes without a patch', () => {
    const call = (more: object): TranscriptEvent => ({
      type: 'tool_call',
      toolCallId: 't1',
      title: 'Edit',
      kind: 'edit',
      ...more,
    });
    expect(write([call({ status: 'paused' })]).followed).toContain('[tool] Edit (paused)');
    expect(write([call({ status: '_dreaming' })]).followed).toContain('[tool] Edit (_dreaming)');
    expect(write([call({ status: 'cancelled' })]).followed).toContain('[tool] Edit (cancelled)');
    const changes = [
      { operation: 'move', path: '/proj/b.ts', oldPath: '/proj/a.ts' },
      { operation: 'add', path: '/proj/c.ts' },
    ];
    const moved = write([call({ status: 'completed', content: [{ type: 'changes', changes }] })]).followed;
    expect(moved).toContain('    move /proj/a.ts -> /proj/b.ts\n    add /proj/c.ts\n');
    const raw = { type: '_hologram', beam: 9 };
    const odd = call({ kind: 'other', status: 'completed', content: [{ type: 'unknown', raw }] });
    expect(write([odd]).followed).toContain('[content of type _hologram] {"beam":9}');
  });

  it('tells of a terminal of the agent that no tool call shows, once, when its command has ended', () => {
    const terminal: TranscriptEvent = { type: 'terminal', terminalId: 'x', command: 'npm test' };
    const output: TranscriptEvent = { type: 'terminal_output', terminalId: 'x', text: 'all\nwell\n' };
    const ended: TranscriptEvent = { type: 'terminal', terminalId: 'x', exitCode: 2 };
    const shown = '[terminal] npm test (exit 2)\n    all\n    well\n';
    expect(write([terminal, output, ended, ended]).followed).toBe(shown);
    const call: TranscriptEvent = {
      type: 'tool_call',
      toolCallId: 't1',
      title: 'Test',
      content: [{ type: 'terminal', terminalId: 'x' }],
    };
    expect(write([call, terminal, output, ended]).followed).not.toContain('[terminal]');
  });

  it('hides thoughts where nobody wants them', () => {
    const thought: TranscriptEvent = { type: 'thought_chunk', content: { type: 'text', text: 'hm' } };
    expect(write([thought]).followed).toBe('[thinking] hm');
    expect(write([thought], { showsThoughts: false }).followed).toBe('');
  });

  it('tells how a turn failed', () => {
    const { followed } = write([
      { type: 'turn_started', prompt: [] },
      { type: 'turn_failed', error: 'no model' },
    ]);
    expect(followed).toBe('[failed] no model\n');
  });
});
