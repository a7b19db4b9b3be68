import { applyEvent, createTranscript } from '@parley/client';
import type { PermissionMode } from '@parley/policy';
import { wordUsage } from '@parley/session/view';
import { textOfLine, widthOf } from '@parley/terminal';
import { describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../../../test/support/test-view.ts';
import { wordDuration, wordPath, wordTokens } from '../../view/wording.ts';
import { viewStatus } from './status-line.ts';
import { wordPermissions } from './word-permissions.ts';

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

  it('tells what runs without asking, by the flags or by the options of the agent, before anything that may be cut', () => {
    const withOption = (currentValue: string | boolean) =>
      applyEvent(createTranscript(), {
        type: 'config',
        options: [
          typeof currentValue === 'boolean'
            ? { type: 'boolean', id: 'auto', name: 'Auto', category: '_permissions', currentValue }
            : { type: 'select', id: 'p', name: 'P', category: '_permissions', currentValue, options: [] },
        ],
      });
    const words = (mode: PermissionMode, transcript = createTranscript()) =>
      wordPermissions({ permissionMode: mode }, transcript).map(({ text }) => text);
    expect(words('default')).toEqual([]);
    expect(words('default', withOption(false))).toEqual([]);
    expect(words('acceptEdits')).toEqual(['accepts edits']);
    expect(words('acceptEdits', withOption('bypassPermissions'))).toEqual(['asks nothing']);
    expect(words('default', withOption(true))).toEqual(['asks nothing']);
    expect(words('default', withOption('plan'))).toEqual(['runs nothing']);
    expect(wordPermissions({ permissionMode: 'denyAll' }, undefined)).toMatchObject([{ text: 'denies all' }]);
    const permissions = wordPermissions({ permissionMode: 'bypassPermissions' }, undefined);
    const line = viewStatus({ agentTitle: 'Gemini', transcript: undefined, permissions, hint: '? keys' }, TEST_VIEW);
    expect(textOfLine(line)).toMatch(/^── Gemini · asks nothing · /);
    expect(line.find(({ text }) => text === 'asks nothing')?.style).toMatchObject({ foreground: '31' });
  });

  it.each([
    ['unasked', 'sandbox'],
    ['off', 'sandbox off'],
    ['always', 'sandbox always'],
    ['unavailable', 'no sandbox'],
  ])('shows how commands are confined: %s', (currentValue, shown) => {
    const transcript = applyEvent(createTranscript(), {
      type: 'config',
      options: [{ type: 'select', id: 'sandbox', name: 'Sandbox', category: '_sandbox', currentValue, options: [] }],
    });
    const line = textOfLine(viewStatus({ agentTitle: 'Parley', transcript, hint: '' }, TEST_VIEW));
    expect(/no sandbox|sandbox(?: off| always)?/.exec(line)?.[0]).toBe(shown);
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
