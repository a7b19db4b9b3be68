import { gzipSync } from 'node:zlib';
import { BROWSER } from '@parley/testing/browser';
import { needs } from '@parley/testing/needs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from './support/open-browser.ts';
import { openServer, type ServedPage } from './support/open-server.ts';
import { expectAccessible, linkTo, visit } from './support/visit.ts';

/** Far more than it takes. */
const SOON = { timeout: 25_000 };

/** Scripts of a page with an open session, compressed. */
const MAX_LOADED_BYTES = 92 * 1024;

describe('a visit to the page', needs(BROWSER), () => {
  let server: ServedPage;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([openServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  it('begins with the link, whose token leaves the address, its history and the log at once', async () => {
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    await page.getByText('Connected', { exact: true }).waitFor();
    await expectAccessible(page);
    expect(page.url()).toBe(`${server.origin}/#/`);
    await page.goBack();
    expect(page.url()).not.toContain(server.token);
    await page.goto(server.origin);
    await visitor.start();
    expect(page.url()).toMatch(/#\/s\/parley\/\w+/);
    await page.reload();
    await page.getByLabel('Message to the agent').waitFor();
    expect(await loadedBytes(page)).toBeLessThan(MAX_LOADED_BYTES);
    expect(visitor.problems).toEqual([]);
    expect(server.stderr()).not.toContain(server.token);
  });

  it('asks for a token where there is none or a wrong one, and takes the token or the link', async () => {
    await using visitor = await visit(browser, linkTo(server, '#token=wrong-token'));
    const { page } = visitor;
    await page.getByText('This server does not know that token.').waitFor();
    await expectAccessible(page);
    const field = page.getByLabel('Token of this server');
    await field.fill('two words');
    await field.press('Enter');
    await page.getByText('neither a token nor a link').waitFor();
    await field.fill(server.link);
    await field.press('Enter');
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('forget');
    await page.keyboard.press('Enter');
    await field.waitFor();
    await page.reload();
    await field.waitFor();
  });

  it('lists sessions, finds them, and renames, forks and deletes them', async () => {
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    const list = page.getByRole('navigation', { name: 'Sessions' });
    await visitor.start();
    await visitor.send('think about apples');
    await visitor.idle();
    await list.getByRole('link', { name: /apples/ }).waitFor();
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'More about this session' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Rename');
    await page.getByLabel('Title').fill('Orchard');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Orchard' }).waitFor();
    await list.getByRole('link', { name: /Orchard/ }).waitFor();
    const before = page.url();
    await choose('Fork');
    await expect.poll(() => page.url(), SOON).not.toBe(before);
    // The address changes before the page does, and both sessions say the same.
    await expect.poll(() => list.locator('[aria-current]').getAttribute('href'), SOON).toBe(new URL(page.url()).hash);
    await visitor.said('think about apples');
    await choose('Rename');
    await page.getByLabel('Title').fill('Cider');
    await page.getByLabel('Title').press('Enter');
    await list.getByRole('link', { name: /Cider/ }).waitFor();
    // The list has the name before the dialog is gone, and until then the keyboard is the dialog's.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Search sessions').fill('orch');
    await expect.poll(() => list.getByRole('listitem').count(), SOON).toBe(1);
    await page.getByLabel('Search sessions').fill('nothing like it');
    await list.getByText('No session has').waitFor();
    await page.getByLabel('Search sessions').fill('');
    await choose('Delete');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => list.getByRole('link', { name: /Cider/ }).count(), SOON).toBe(0);
    await page.goto(linkTo(server, '#/s/parley/no-such-session'));
    await page.getByText('There is no such session here.').waitFor();
  });

  it('can be done with the keyboard alone', async () => {
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await expect.poll(() => page.url(), SOON).toContain('#/new');
    await page.getByLabel('Folder', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Message to the agent').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), SOON)
      .toBe('Message to the agent');
    await page.keyboard.type('create keys.txt with "x"');
    await page.keyboard.press('Enter');
    await visitor.question.waitFor();
    await visitor.question.locator('[aria-disabled=false]').first().waitFor();
    await page.getByLabel('Message to the agent').blur();
    await page.keyboard.press('1');
    await visitor.idle();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type('create keys');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url(), SOON).toContain('#/s/parley/');
  });

  it('fits a screen that is 320 pixels wide, with the columns as drawers', async () => {
    await using visitor = await visit(browser, server.link, { viewport: { width: 320, height: 640 } });
    const { page } = visitor;
    await visitor.start();
    await visitor.send('create narrow.txt with "x"');
    await visitor.question.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await expectAccessible(page);
    await visitor.allow();
    await visitor.idle();
    await page.getByRole('button', { name: 'Sessions' }).click();
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Changes' }).click();
    await page.getByRole('complementary', { name: 'Changes' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  it('is dark where the person likes it dark, and as they choose it', async () => {
    await using visitor = await visit(browser, server.link, { colorScheme: 'dark' });
    const { page } = visitor;
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await visitor.start();
    await visitor.send('list the files, then create dark.txt with "x"');
    await visitor.question.waitFor();
    const dark = await background();
    await expectAccessible(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('theme: light');
    await page.keyboard.press('Enter');
    await expect.poll(background, SOON).toBe('rgb(255, 255, 255)');
    expect(dark).not.toBe('rgb(255, 255, 255)');
    await visitor.question.waitFor();
    await expectAccessible(page);
    await page.reload();
    expect(await background()).toBe('rgb(255, 255, 255)');
  });

  it('does nothing while nothing happens', async () => {
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    await visitor.start();
    await visitor.send('think about nothing');
    await visitor.idle();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const busy = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    };
    await page.waitForTimeout(1500);
    const before = await busy();
    await page.waitForTimeout(2000);
    expect(await busy()).toBeLessThan(before + 0.1);
  });
});

/** What the scripts that a page has loaded so far weigh, compressed as a server sends them. */
async function loadedBytes(page: Page): Promise<number> {
  const resources = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const scripts = resources.filter((name) => name.endsWith('.js'));
  const weights = scripts.map(async (url) => gzipSync(await (await fetch(url)).arrayBuffer()).length);
  return (await Promise.all(weights)).reduce((sum, bytes) => sum + bytes, 0);
}
