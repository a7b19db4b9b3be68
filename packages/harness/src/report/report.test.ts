import { describe, expect, it } from 'vitest';
import { capture, lines, trials } from '../../test/support/results.ts';
import { sampleCaptures, sampleTrials } from '../../test/support/sample-runs.ts';
import { readRun } from '../compare/index.ts';
import { createReport, formatRows } from './index.ts';

const now = () => new Date('2026-01-02T03:04:05Z');

function sample(label: string, skill: number, seed: number) {
  return { label, source: lines([...sampleTrials({ tasks: 12, skill, speedMs: 20_000, seed, k: 3 })]) };
}

describe('a report', () => {
  it('is one page with everything in it: findings, plots with their numbers, tasks, failures and cases', async () => {
    const html = (
      await createReport([sample('base', 0.4, 1), sample('next', 0.8, 2)], { title: 'Both', now })
    ).toHtml();
    expect(html).toContain('<title>Both</title>');
    for (const id of ['runs', 'plots', 'differences', 'matrix', 'failures', 'cases']) {
      expect(html).toContain(`<section id="${id}">`);
    }
    for (const title of [
      'Pass rate',
      'Time of an attempt',
      'Cost of an attempt',
      'Score by task',
      'next against base',
    ]) {
      expect(html).toContain(`<figcaption>${title}</figcaption>`);
    }
    // Every picture has a title, a description and a table.
    const plots = html.split('<figure class="plot">').slice(1);
    for (const plot of plots)
      expect(plot).toMatch(/<title id="[^"]+">.+<\/title><desc id="[^"]+">.+<\/desc>[\s\S]+<table class="data">/);
    expect(html.match(/<article class="case"/g)).toHaveLength(12);
    expect(html).toContain('<del>-  retry(3);</del><ins>+  // Waits longer each time.</ins>');
  });

  it('has every link that it names, in one file and in several', async () => {
    const report = await createReport([sample('base', 0.4, 1), sample('next', 0.8, 2)], { now });
    const single = report.toHtml();
    for (const [, target] of single.matchAll(/href="#([^"]+)"/g)) expect(single).toContain(`id="${target}"`);
    expect(new Set(single.match(/ id="[^"]+"/g)).size).toBe(single.match(/ id="[^"]+"/g)?.length);

    const pages = new Map([...report.toPages()].map(({ path, html }) => [path, html]));
    expect([...pages.keys()].slice(0, 2)).toEqual(['index.html', 'cases/case-1.html']);
    for (const [path, html] of pages) {
      for (const [, href = ''] of html.matchAll(/href="([^"]+)"/g)) {
        const { pathname, hash } = new URL(href, `file:///${path}`);
        const page = pages.get(pathname.slice(1));
        expect(page, `${href} in ${path}`).toBeDefined();
        if (hash !== '') expect(page, `${href} in ${path}`).toContain(`id="${hash.slice(1)}"`);
      }
    }
  });

  it('shows hostile text of tasks, runs, agents and graders as text', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'--></style>\u0000\ud800`;
    const result = capture(evil, {
      input: [evil, evil],
      output: evil,
      hint: evil,
      reference: evil,
      errors: [evil],
      stopReason: evil,
      sessionId: evil,
      outcome: { [evil]: evil },
      score: { pass: false, score: 0.5, reasoning: evil },
      cost: { amount: 1, currency: evil },
      permissions: [{ outcome: 'rejected', by: evil, title: evil, timestamp: 1 }],
      protocol: { invalidMessages: 1, brokenRules: 0, noiseLines: 0, retries: 0, foreignUpdates: 0, problems: [evil] },
      workspace: {
        kind: 'empty',
        path: evil,
        isKept: true,
        changes: {
          files: [{ path: evil, insertions: 1, deletions: 1 }],
          insertions: 1,
          deletions: 1,
          patch: `+${evil}\n-${evil}\n@@${evil}\n${evil}`,
        },
      },
      trajectory: [
        { type: 'thought', content: evil, timestamp: 1 },
        { type: 'plan', entries: [{ content: evil, status: evil }, evil], timestamp: 2 },
        {
          type: 'tool_call',
          name: evil,
          title: `${evil}!`,
          status: evil,
          input: { [evil]: evil },
          output: evil,
          permission: { outcome: evil, by: evil, because: evil, timestamp: 3 },
          timestamp: 3,
        },
        { type: 'message', content: evil, timestamp: 4 },
      ],
    });
    const report = await createReport(
      [
        { label: evil, source: lines([result]) },
        { label: `${evil} 2`, source: lines([result]) },
      ],
      { title: evil, now },
    );
    for (const html of [report.toHtml(), ...[...report.toPages()].map((page) => page.html)]) {
      const own = html.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<script>'use strict'[\s\S]*?<\/script>/, '');
      const tags = own.replaceAll(/"[^"<>]*"/g, '""').match(/<[^>]*>/g) ?? [];
      expect(tags.filter((tag) => /^<(script|img|style)\b|\son\w+=/i.test(tag))).toEqual([]);
      expect(own.includes('&lt;script&gt;alert(1)&lt;/script&gt;')).toBe(true);
      expect(own.includes('\u0000')).toBe(false);
      expect(html).toContain("default-src 'none'");
    }
  });

  it('groups failures by what they have in common, and sets aside what the harness is to blame for', async () => {
    const { model } = await createReport([
      {
        label: 'a',
        source: lines([
          capture('one', { score: { pass: false, score: 0, reasoning: 'expected "3" in src/a.ts, got 17' } }),
          capture('two', { score: { pass: false, score: 0, reasoning: 'expected "x" in lib/b/c.ts, got 4' } }),
          capture('three', { failure: 'timeout', errors: ['The case took longer than 5000 ms.'] }),
          capture('four', { graderError: 'no such file' }),
          capture('five', { pass: true }),
        ]),
      },
    ]);
    expect(model.failures.map(({ kind, attempts }) => [kind, attempts.map(({ task }) => task)])).toEqual([
      ['wrong', ['one', 'two']],
      ['timeout', ['three']],
      ['grader', ['four']],
    ]);
    expect(model.runs[0]).toMatchObject({ passRate: 0.25, excluded: 1, errors: 1, interval: { method: 'wilson' } });
  });

  it('takes intervals over tasks where tasks were tried several times', async () => {
    const { model } = await createReport([sample('a', 0.5, 3)]);
    expect(model.runs[0]?.interval?.method).toBe('bca');
  });

  it('of runs without grades, of one run, and of runs that have nothing in common, says what there is', async () => {
    const ungraded = (
      await createReport([{ label: 'a', source: lines([capture('x'), capture('y')]) }], { now })
    ).toHtml();
    expect(ungraded).toContain('a: nothing was graded.');
    expect(ungraded).not.toContain('NaN');
    const apart = await createReport([
      { label: 'a', source: lines([capture('x', { pass: true })]) },
      { label: 'b', source: lines([trials('y', [true, false])]) },
    ]);
    expect(apart.model.comparison).toBeUndefined();
    expect(apart.toHtml()).toContain('not run');
    expect(/.{40}[> ](NaN|undefined).{40}/.exec(apart.toHtml())?.[0]).toBeUndefined();
  });

  it('of rows alone has everything but the words of the cases', async () => {
    const rows = await Promise.all(
      [1, 2].map((seed) =>
        readRun({
          label: `run ${seed}`,
          source: lines([...sampleCaptures({ tasks: 40, skill: 0.5, speedMs: 9000, seed })]),
        }),
      ),
    );
    const html = formatRows(rows, { now });
    expect(html).toContain('run 2 against run 1');
    expect(html).not.toContain('The failing test names the file');
    expect(html).not.toMatch(/<article|href="#case/);
  });
});
