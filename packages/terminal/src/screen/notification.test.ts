import { describe, expect, it } from 'vitest';
import { notification } from './notification.ts';

describe('a notification', () => {
  it('is a message where the terminal is known to show one, else the bell', () => {
    expect(notification('done', 'osc', { TERM_PROGRAM: 'WezTerm' })).toBe('\u001b]9;Parley: done\u0007');
    expect(notification('done', 'osc', { TERM: 'xterm-kitty' })).toBe('\u001b]9;Parley: done\u0007');
    expect(notification('done', 'osc', { TERM: 'foot-extra' })).toBe('\u001b]777;notify;Parley;done\u0007');
    for (const env of [{ TERM: 'xterm-256color' }, { TERM: 'xterm-kitty', TMUX: '/tmp/tmux' }, {}]) {
      expect(notification('done', 'osc', env)).toBe('\u0007');
    }
  });

  it('is the bell or nothing where that is wanted', () => {
    expect(notification('done', 'bell', { TERM: 'xterm-kitty' })).toBe('\u0007');
    expect(notification('done', 'off', { TERM: 'xterm-kitty' })).toBe('');
  });

  it('holds nothing that could steer the terminal, and is not long', () => {
    const text = `\u0007\u001b]2;owned\u0007;4;1\n\u202e${'x'.repeat(5000)}`;
    for (const TERM of ['xterm-kitty', 'foot']) {
      const bytes = notification(text, 'osc', { TERM });
      expect(bytes.slice(2, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(bytes.length).toBeLessThan(160);
      expect(bytes.split(';').length).toBe(TERM === 'foot' ? 4 : 2);
    }
  });
});
