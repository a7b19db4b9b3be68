import { describe, expect, it } from 'vitest';
import { paint } from '../text/paint.ts';
import { STYLES } from '../text/styled-text.ts';
import { guessTheme, readBackground } from './theme.ts';

const TERM = 'xterm-256color';

describe('the theme', () => {
  it('is what the setting says, else what COLORFGBG says, else dark', () => {
    expect(guessTheme({ TERM }).background).toBe('dark');
    expect(guessTheme({ TERM, COLORFGBG: '0;15' }).background).toBe('light');
    expect(guessTheme({ TERM, COLORFGBG: '15;default;0' }).background).toBe('dark');
    expect(guessTheme({ TERM, COLORFGBG: '0;15' }, 'dark').background).toBe('dark');
    expect(guessTheme({ TERM }, 'light')).toEqual({ background: 'light', hasManyColors: true });
    expect(guessTheme({ TERM: 'xterm' }).hasManyColors).toBe(false);
  });

  it('is read from the answer of the terminal, in whatever digits it has', () => {
    expect(readBackground('11;rgb:ffff/ffff/ffff')).toBe('light');
    expect(readBackground('11;rgb:1e/1e/2e')).toBe('dark');
    expect(readBackground('11;rgba:ffff/ffff/f0f0/ffff')).toBe('light');
    expect(readBackground('10;rgb:ffff/ffff/ffff')).toBeUndefined();
  });

  it('makes yellow readable on a light background, and colours nothing under NO_COLOR', () => {
    const line = [{ text: 'x', style: STYLES.code }];
    const light = guessTheme({ TERM }, 'light');
    expect(paint(line, { hasColor: true })).toContain('[33m');
    expect(paint(line, { hasColor: true, theme: light })).toContain('[38;5;130m');
    expect(paint(line, { hasColor: false, theme: light })).toBe('x');
  });
});
