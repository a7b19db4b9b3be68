import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from './support/open-browser.ts';
import { openServer, type ServedPage } from './support/open-server.ts';
import { linkTo, openTab, visit } from './support/visit.ts';

/** Far more than it takes. */
const SOON = { timeout: 25_000 };

describe.skipIf(browserPath === undefined)('turns in the page', () => {
  let server: ServedPage;
  let browser: Browser;
  const file = (name: string): string => join(server.cwd, name);
  /** A command that goes on until the test lets it end; what it says does not stand in the prompt. */
  const waits = (name: string): string =>
    `run printf begun-%s ${name}; while [ ! -f ${name} ]; do sleep 0.1; done; printf ended-%s ${name}`;

  beforeAll(async () => {
    [server, browser] = await Promise.all([openServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  it('edit a file once the person has allowed it, and show what was changed', async () => {
    writeFileSync(file('a.txt'), 'one foo\n');
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    await visitor.start();
    await visitor.send('replace "foo" with "bar" in a.txt');
    await visitor.question.waitFor();
    expect(readFileSync(file('a.txt'), 'utf8')).toBe('one foo\n');
    await expect.poll(() => page.title(), SOON).toBe('(1!) Parley');
    await page.getByRole('link', { name: /question waits for you/ }).waitFor();
    await visitor.allow();
    await visitor.idle();
    expect(readFileSync(file('a.txt'), 'utf8')).toBe('one bar\n');
    await expect.poll(() => page.title(), SOON).toBe('Parley');
    await page.getByRole('complementary', { name: 'Changes' }).getByText('a.txt').first().waitFor();
    expect(visitor.problems).toEqual([]);
  });

  it('end when they are stopped, also while a question is open', async () => {
    await using visitor = await visit(browser, server.link);
    await visitor.start();
    await visitor.send('run touch never');
    await visitor.question.waitFor();
    await visitor.page.getByRole('button', { name: 'Stop' }).click();
    await visitor.idle();
    expect(await visitor.question.count()).toBe(0);
    await visitor.said(/cancelled|stopped/i);
  });

  it('survive a refresh in their middle, with nothing lost and nothing twice', async () => {
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    await visitor.start();
    await visitor.send(waits('refresh'));
    await visitor.said('begun-refresh');
    await page.reload();
    await visitor.said('begun-refresh');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    writeFileSync(file('refresh'), '');
    await visitor.idle();
    await visitor.said('ended-refresh');
    expect(await page.locator('.message-user').count()).toBe(1);
    expect(await page.locator('.message-agent').count()).toBe(1);
  });

  it('ask in every tab, and take the first answer', async () => {
    await using first = await visit(browser, server.link);
    await first.start();
    await using second = await openTab(first, first.page.url());
    await first.send('create both.txt with "x"');
    await Promise.all([first.question.waitFor(), second.question.waitFor()]);
    await second.allow();
    await Promise.all([first.idle(), second.idle()]);
    expect(await first.question.count()).toBe(0);
    await first.page.getByText(/Answered by another client/).waitFor();
    expect(readFileSync(file('both.txt'), 'utf8')).toContain('x');
    for (const tab of [first, second]) expect(await tab.page.locator('.message-user').count()).toBe(1);
  });

  it('are there again after the server was killed, which the page says all the while', async () => {
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    await visitor.start();
    await visitor.send('create before.txt with "x"');
    await visitor.allow();
    await visitor.idle();
    await visitor.send(waits('never-ends'));
    await visitor.said('begun-never-ends');
    await server.kill();
    await page.getByText(/Server gone/).waitFor();
    await server.restart();
    await page.getByText('Connected', { exact: true }).waitFor();
    await visitor.idle();
    await visitor.said(/interrupted/i);
    expect(await page.locator('.message-user').count()).toBe(2);
    await visitor.send('create after.txt with "y"');
    await visitor.allow();
    await visitor.idle();
    expect(readFileSync(file('after.txt'), 'utf8')).toContain('y');
    expect(await page.locator('.message-user').count()).toBe(3);
  });

  it('go on in several sessions at once, and their questions are seen from everywhere', async () => {
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    await visitor.start();
    await visitor.send('create one.txt with "1"');
    await visitor.question.waitFor();
    await page.goto(linkTo(server, '#/new'));
    await visitor.start();
    await visitor.send(waits('several'));
    await visitor.said('begun-several');
    await page.getByRole('navigation', { name: 'Sessions' }).getByText('Running').first().waitFor();
    await page.getByRole('link', { name: /question waits for you/ }).click();
    await visitor.allow();
    await visitor.idle();
    writeFileSync(file('several'), '');
    await expect
      .poll(() => page.getByRole('navigation', { name: 'Sessions' }).getByText('Running').count(), SOON)
      .toBe(0);
  });
});
