import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER } from '@parley/testing/browser';
import { needs } from '@parley/testing/needs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from './support/open-browser.ts';
import { openServer, type ServedPage } from './support/open-server.ts';
import { openSleepyWire } from './support/sleepy-wire.ts';
import { expectAccessible, linkTo, openTab, visit } from './support/visit.ts';

/** Far more than it takes. */
const SOON = { timeout: 25_000 };

describe('turns in the page', needs(BROWSER), () => {
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

  it('are seen by git too, file by file', async () => {
    const git = (...words: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], { cwd: folder });
    const folder = join(server.cwd, 'repository');
    mkdirSync(folder);
    git('init', '--quiet', '--initial-branch=trunk');
    writeFileSync(join(folder, 'kept.txt'), 'one\ntwo\nthree\n');
    git('add', '.');
    git('commit', '--quiet', '--message=begin');
    await using visitor = await visit(browser, server.link);
    const { page } = visitor;
    await page.getByLabel('Folder', { exact: true }).fill(folder);
    await visitor.start();
    const changes = page.getByRole('complementary', { name: 'Changes' });
    await changes.getByRole('button', { name: 'Git', exact: true }).click();
    await changes.getByText('On trunk').waitFor();
    await changes.getByText('Git finds nothing changed.').waitFor();
    await visitor.send('replace "two" with "2" in kept.txt, then create new.txt with "fresh"');
    await visitor.allow();
    await visitor.allow();
    await visitor.idle();
    await changes.getByText('2 files').waitFor();
    expect(await changes.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/kept\.txt\s*\+1\s*.1/),
      expect.stringMatching(/new\.txt\s*untracked\s*\+1/),
    ]);
    await changes.getByRole('button', { name: /kept\.txt/ }).click();
    await changes.locator('ins', { hasText: '2' }).first().waitFor();
    writeFileSync(join(folder, 'kept.txt'), 'one\ntwo\nthree\n');
    await changes.getByRole('button', { name: 'Look again' }).click();
    await changes.getByText('1 file').waitFor();
    await expectAccessible(page);
    expect(visitor.problems).toEqual([]);
  });

  it('go on while the machine sleeps, and the page has all of it when it wakes', async () => {
    await using wire = await openSleepyWire(Number(new URL(server.origin).port));
    await using visitor = await visit(browser, `${wire.origin}/#token=${server.token}`);
    const { page } = visitor;
    await visitor.start();
    await visitor.send('think about pears');
    await visitor.idle();
    await visitor.send(waits('asleep'));
    await visitor.said('begun-asleep');
    wire.sleep();
    // Meanwhile somebody else ends the turn, and has another one done.
    await using other = await visit(browser, server.link);
    await other.page.goto(linkTo(server, new URL(page.url()).hash));
    await other.said('begun-asleep');
    writeFileSync(file('asleep'), '');
    await other.idle();
    await other.send('think about apples');
    await other.idle();
    await other.said('think about apples');
    expect(await page.locator('.message-user').count()).toBe(2);
    wire.wake();
    // An hour has passed, as far as the page knows; what it was connected with never says another word.
    await page.evaluate(`{ const { now } = Date; Date.now = () => now() + 3_600_000; }`);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await visitor.said('ended-asleep');
    await expect.poll(() => page.locator('.message-user').count(), SOON).toBe(3);
    await page.getByText('Connected', { exact: true }).waitFor();
    await visitor.send('think about plums');
    await other.said('think about plums');
    await visitor.idle();
    expect(await page.locator('.message-user').count()).toBe(4);
    expect(await page.locator('.message-agent').count()).toBe(await other.page.locator('.message-agent').count());
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
    await first.question.waitFor({ state: 'detached' });
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
