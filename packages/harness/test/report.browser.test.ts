import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BROWSER, browserOptions } from '@parley/testing/browser';
import { needs } from '@parley/testing/needs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReport } from '../src/report/index.ts';
import { lines } from './support/results.ts';
import { sampleTrials } from './support/sample-runs.ts';

describe('the report in a browser', needs(BROWSER), () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-report-'));
  const file = join(folder, 'report.html');
  let browser: Browser;

  beforeAll(async () => {
    const runs = [0.4, 0.75].map((skill, index) => ({
      label: `run ${index + 1}`,
      source: lines([...sampleTrials({ tasks: 10, skill, speedMs: 20_000, seed: index + 1, k: 2 })]),
    }));
    writeFileSync(file, (await createReport(runs, { title: 'Looked at' })).toHtml());
    browser = await chromium.launch(browserOptions());
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the report, and hears of everything that it asks for and complains of. */
  async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; asked: string[]; said: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const [asked, said]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(pathToFileURL(file).href);
    return { page, asked, said };
  }

  it('asks for nothing but itself, and breaks no rule of its own policy', async () => {
    const { page, asked, said } = await open();
    await page.locator('#matrix td a').first().click();
    expect(asked).toEqual([pathToFileURL(file).href]);
    expect(said).toEqual([]);
    await page.context().close();
  });

  // What differs between the two is colours alone, and judging all of it takes seconds.
  it.each([
    ['light', undefined],
    ['dark', ['color-contrast']],
  ] as const)('is accessible in %s', async (colorScheme, rules) => {
    const { page } = await open({ colorScheme, reducedMotion: 'reduce' });
    for (const details of await page.locator('#case-1 details, #failures details, .numbers').all()) {
      await details.evaluate((element) => element.setAttribute('open', ''));
    }
    // The policy of the page lets no other script in by a tag; evaluating is not bound by it.
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const violations = await page.evaluate(async (runOnly) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations: found } = await axe.run(runOnly ? { runOnly } : {});
      return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
    }, rules);
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it('shows everything without scripts: filters, links that open an attempt, and plots', async () => {
    const { page } = await open({ javaScriptEnabled: false });
    const rows = page.locator('#tasks tbody tr');
    expect(await rows.count()).toBe(10);
    await page.locator('#only-different').check();
    const shown = await page.locator('#tasks tbody tr:visible').count();
    expect(shown).toBeLessThan(10);
    expect(shown).toBe(await page.locator('#tasks tbody tr.different').count());
    await page.locator('#only-different').uncheck();
    const link = page.locator('#matrix td a').first();
    const target = (await link.getAttribute('href')) ?? '';
    await link.click();
    await page.locator(target).waitFor({ state: 'visible' });
    expect(await page.locator('figure.plot svg:visible').count()).toBeGreaterThan(5);
    expect(await page.locator('#find').isVisible()).toBe(false);
    await page.context().close();
  });

  it('finds and sorts tasks with its script', async () => {
    const { page } = await open();
    await page.locator('#find').fill('parser');
    expect(await page.locator('#tasks tbody tr:visible').count()).toBe(2);
    await page.locator('#find').fill('');
    await page.getByRole('button', { name: 'run 2' }).click();
    const values = await page
      .locator('#tasks tbody tr td:nth-child(3)')
      .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('data-value'))));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    await page.context().close();
  });

  it('fits a narrow screen, and prints its closed parts', async () => {
    const { page } = await open({ viewport: { width: 360, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav.sections').isVisible()).toBe(false);
    expect(await page.locator('#case-1 .steps').first().isVisible()).toBe(true);
    await page.context().close();
  });
});

interface Axe {
  run(options: { readonly runOnly?: readonly string[] }): Promise<{ readonly violations: readonly AxeViolation[] }>;
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}
