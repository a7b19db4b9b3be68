import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from './support/open-browser.ts';
import { openServer, type ServedPage } from './support/open-server.ts';

describe.skipIf(browserPath === undefined)('the page', () => {
  let server: ServedPage;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([openServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  it('opens from its link, and takes the token off the address', async () => {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(server.link);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.thread').waitFor();
    expect(page.url()).not.toContain(server.token);
    expect(problems).toEqual([]);
    expect(await page.evaluate(() => document.title)).toBe('Parley');
    await page.close();
  });
});
