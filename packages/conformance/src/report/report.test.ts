import { describe, expect, it } from 'vitest';
import { compareReports } from './compare.ts';
import { formatHtml } from './format-html.ts';
import { formatJUnit } from './format-junit.ts';
import { formatMarkdown } from './format-markdown.ts';
import { formatTerminal } from './format-terminal.ts';
import type { CheckResult, Report } from './report.ts';
import { hasFailed, scoreOf } from './report.ts';

const facts = { group: 'framing', source: 'protocol/v1/transports', rules: [1], durationMs: 12 } as const;

const failed: CheckResult = {
  ...facts,
  id: 'FRAME-02',
  level: 'MUST',
  says: 'One message per line',
  outcome: 'fail',
  reason: 'expected a line, got <two> & "more"',
  expected: 'a line',
  got: '<two> & "more"\u0001',
  wire: ['← #1 3 ms {"a":1}'],
  repro: 'parley check --only FRAME-02 -- agent',
};
const passed: CheckResult = { ...facts, id: 'FRAME-01', level: 'MUST', says: 'JSON-RPC', outcome: 'pass', repro: 'r' };
const untold: CheckResult = { ...passed, id: 'FRAME-03', outcome: 'not_provoked', reason: 'nothing came' };
const warned: CheckResult = { ...failed, id: 'FRAME-04', level: 'SHOULD', outcome: 'warn' };

function report(...results: readonly CheckResult[]): Report {
  return {
    format: 'parley-check/1',
    role: 'agent',
    target: 'agent --acp',
    name: 'my-agent',
    version: '0.3.1',
    protocolVersion: 1,
    startedAt: '2026-11-15T12:00:00.000Z',
    durationMs: 18_400,
    repeat: 1,
    results,
  };
}

describe('a report', () => {
  const all = report(passed, untold, warned, failed);

  it('counts only what could be told', () => {
    expect(scoreOf(all, 'MUST')).toEqual({ passed: 1, applicable: 2 });
    expect(hasFailed(all)).toBe(true);
    expect(hasFailed(report(passed, warned, untold))).toBe(false);
    expect(hasFailed(report({ ...failed, outcome: 'flaky' }))).toBe(true);
  });

  it('reads well in a terminal, with failures first', () => {
    const text = formatTerminal(all);
    expect(text.split('\n')[0]).toBe('ACP v1 · my-agent 0.3.1 · `agent --acp` · 2026-11-15 · 4 checks in 18.4 s');
    expect(text).toContain('MUST 1/2 ✗   SHOULD 0/1 ⚠');
    expect(text).toContain('1 not provoked');
    expect(text.indexOf('✗ FRAME-02')).toBeLessThan(text.indexOf('⚠ FRAME-04'));
    expect(text).toContain('   repro: parley check --only FRAME-02 -- agent');
    expect(text).not.toContain('FRAME-01');
    expect(formatTerminal(all, { verbose: true })).toContain('? FRAME-03 MUST  JSON-RPC (not provoked: nothing came)');
  });

  it('is colored only on request', () => {
    expect(formatTerminal(all)).not.toContain('\u001b[');
    expect(formatTerminal(all, { color: true })).toContain('\u001b[31m✗ FRAME-02 MUST\u001b[0m');
  });

  it('is XML that escapes what agents say', () => {
    const xml = formatJUnit(all);
    expect(xml).toContain('tests="4" failures="1" skipped="1"');
    expect(xml).toContain('message="expected a line, got &lt;two&gt; &amp; &quot;more&quot;"');
    expect(xml).toContain('<skipped message="not provoked: nothing came"/>');
    expect(xml).not.toContain('\u0001');
  });

  it('is HTML that escapes what agents say, works without scripts and filters by address', () => {
    const html = formatHtml(all);
    expect(html).toContain('&lt;two&gt; &amp;');
    expect(html).not.toContain('<two>');
    expect(html).not.toContain('<script');
    expect(html).toContain('<a class="fail" href="#fail">failed 1</a>');
    expect(html).toContain('body:has(#fail:target) .check:not(.fail){display:none}');
  });

  it('is Markdown with a table that agents cannot break', () => {
    const markdown = formatMarkdown(report({ ...untold, reason: 'a | b\nc' }));
    expect(markdown).toContain('| FRAME-03 | MUST | JSON-RPC | ? not provoked: a \\| b c |');
  });
});

describe('a comparison', () => {
  it('parts what is newly failing from what is fixed and from what merely changed', () => {
    const before = report(passed, { ...failed, id: 'FRAME-02' }, untold);
    const after = report(
      { ...passed, outcome: 'fail' },
      { ...failed, outcome: 'pass' },
      { ...untold, outcome: 'pass' },
      warned,
    );
    const { newlyFailing, fixed, changed, added } = compareReports(before, after);
    expect(newlyFailing.map(({ id }) => id)).toEqual(['FRAME-01']);
    expect(fixed.map(({ id }) => id)).toEqual(['FRAME-02']);
    expect(changed.map(({ result, before: old }) => `${result.id} ${old}`)).toEqual(['FRAME-03 not_provoked']);
    expect(added.map(({ id }) => id)).toEqual(['FRAME-04']);
    const text = formatTerminal(after, { comparison: { newlyFailing, fixed, changed, added } });
    expect(text).toContain(
      'newly failing: FRAME-01\nfixed: FRAME-02\nFRAME-03: not provoked → passed\nnot in the earlier run: FRAME-04',
    );
  });
});
