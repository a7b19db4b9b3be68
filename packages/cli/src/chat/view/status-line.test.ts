import { applyEvent, createTranscript } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { textOfLine } from '../../terminal/text/styled-text.ts';
import { widthOf } from '../../terminal/text/wrap.ts';
import { TEST_VIEW } from '../test-support/view-options.ts';
import { viewStatus, wordUsage } from './status-line.ts';
import { wordDuration, wordPath, wordTokens } from './wording.ts';

describe('the status line', () => {
  it('tells agent, mode, usage and place, and fits', () => {
    let transcript = applyEvent(createTranscript(), { type: 'usage', used: 41, size: 100 });
    transcript = applyEvent(transcript, {
      type: 'modes',
      currentModeId: 'a',
      availableModes: [{ id: 'a', name: 'Ask' }],
    });
    const facts = { agentTitle: 'Gemini', transcript, branch: 'main', hint: 'esc stops' };
    expect(textOfLine(viewStatus(facts, { ...TEST_VIEW, width: 72 }))).toBe(
      '── Gemini · Ask (shift+tab) · 41% ctx · /proj main ───────── esc stops ─',
    );
    for (let width = 1; width < 80; width += 1) {
      expect(widthOf(viewStatus(facts, { ...TEST_VIEW, width }))).toBeLessThanOrEqual(width);
    }
  });

  it('does not repeat numbers that cannot be', () => {
    expect(wordUsage({ used: 521, size: 100 })).toEqual(['521 tokens']);
    expect(wordUsage({ used: 5, size: 0 })).toEqual(['5 tokens']);
    expect(wordUsage({ used: 50, size: 100, cost: { amount: 1.5, currency: 'EUR' } })).toEqual(['50% ctx', '1.50 EUR']);
  });
});

describe('wording', () => {
  it('says durations, tokens and paths as people do', () => {
    expect([300, 12_400, 185_000, 3_700_000].map(wordDuration)).toEqual(['0.3s', '12s', '3m 05s', '1h 01m']);
    expect([950, 3400, 125_000, 1_200_000].map(wordTokens)).toEqual(['950', '3.4k', '125k', '1.2M']);
    expect(wordPath('/proj/src/a.ts', '/proj', '/home/me')).toBe('src/a.ts');
    expect(wordPath('/home/me/x', '/proj', '/home/me')).toBe('~/x');
    expect(wordPath('/etc/passwd', '/proj', '/home/me')).toBe('/etc/passwd');
  });
});
