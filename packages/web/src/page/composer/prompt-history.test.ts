import { applyEvent, createTranscript } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { loadDraft, saveDraft } from './draft.ts';
import { promptsOf } from './prompt-history.ts';

describe('what somebody wrote', () => {
  it('comes back, newest first and each once', () => {
    let transcript = createTranscript();
    for (const text of ['one', 'two', 'one'])
      for (const event of [
        { type: 'turn_started', prompt: [{ type: 'text', text }] },
        { type: 'message_chunk', speaker: 'agent', content: { type: 'text', text: `answer to ${text}` } },
        { type: 'turn_ended', stopReason: 'end_turn' },
      ] as const)
        transcript = applyEvent(transcript, event);
    expect(promptsOf(transcript)).toEqual(['one', 'two']);
    expect(promptsOf(transcript, 1)).toEqual(['one']);
  });

  it('and did not send is kept for each session', () => {
    const store = fakeStorage();
    saveDraft(store, 'a', 'half a sentence');
    saveDraft(store, 'b', 'other');
    expect(loadDraft(store, 'a')).toBe('half a sentence');
    saveDraft(store, 'a', '');
    expect(loadDraft(store, 'a')).toBe('');
    for (let session = 0; session < 80; session += 1) saveDraft(store, `s${session}`, 'x');
    expect(store.length).toBeLessThanOrEqual(50);
  });
});

/** As browsers have it, its keys are its own properties. */
function fakeStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string): string | null {
      return Object.hasOwn(this, key) ? (this[key] ?? null) : null;
    },
    setItem(this: Record<string, string>, key: string, value: string): void {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string): void {
      delete this[key];
    },
    get length(): number {
      return Object.keys(this).length;
    },
  };
  return Object.create(methods) as Storage;
}
