import { fileURLToPath } from 'node:url';
import { BROWSER } from '@parley/testing/browser';
import { needs } from '@parley/testing/needs';
import { END_TURN } from '@parley/testing/scripted-agent';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING, SETTINGS } from './support/odd-content.ts';
import { openBrowser } from './support/open-browser.ts';
import type { ServedPage } from './support/open-server.ts';
import { openScriptedServer } from './support/scripted-server.ts';
import { say, startSession, untilIdle, untilSaid } from './support/start-session.ts';

const LONG = 3000;
const secondAgent = fileURLToPath(new URL('./support/v2-agent.mjs', import.meta.url));

describe('the conversation', needs(BROWSER), () => {
  let server: ServedPage;
  let browser: Browser;

  beforeAll(async () => {
    const line = {
      sessionUpdate: 'agent_message_chunk',
      messageId: 'm$index',
      content: { type: 'text', text: 'Message **$index** of many.' },
    };
    [server, browser] = await Promise.all([
      openScriptedServer(
        {
          everything: { ...SETTINGS, on: { 'session/prompt': EVERYTHING } },
          long: {
            ...SETTINGS,
            on: {
              'session/prompt': [
                { do: 'repeat', times: LONG, steps: [{ do: 'update', update: line }] },
                { do: 'waitFor', method: 'session/set_mode' },
                { do: 'say', text: 'The very last words.' },
                END_TURN,
              ],
            },
          },
          fails: {
            on: {
              'session/prompt': [
                { do: 'say', text: 'I try' },
                { do: 'fail', code: -32000, message: 'The model is gone' },
              ],
            },
          },
          waits: {
            on: {
              'session/prompt': [
                { do: 'say', text: 'Working on it' },
                { do: 'waitFor', method: 'session/cancel' },
                { do: 'respond', result: { stopReason: 'cancelled' } },
              ],
            },
          },
        },
        [`second=${process.execPath} ${secondAgent}`],
      ),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  it('shows every kind of entry, and names the kind of an update that it does not know', async () => {
    const { page, problems } = await startSession(browser, server, 'everything');
    await say(page, 'make the test deterministic');
    await page.getByText('Unknown update "weather_update"', { exact: true }).waitFor();
    await untilIdle(page);
    const thread = page.getByRole('log');
    await thread.getByRole('heading', { name: 'What I found' }).waitFor();
    expect(await thread.locator('.message-user').innerText()).toContain('make the test deterministic');
    expect(await thread.getByRole('button', { name: 'Thought' }).getAttribute('aria-expanded')).toBe('false');
    expect(await page.getByRole('region', { name: 'Plan' }).innerText()).toMatch(/Plan\s*1\/3\s*Inject a clock/);
    // Views of changes and of output are loaded with the first of them.
    await thread.locator('mark.diff-word').first().waitFor();
    await thread.locator('.terminal-line .ansi-fg-2').first().waitFor();
    expect(await thread.locator('.diff-table ins').allInnerTexts()).toContain('      await clock.sleep(100);');
    expect(await thread.locator('mark.diff-word').allInnerTexts()).toContain('clock.');
    await thread.getByText('To undo it:').waitFor();
    expect(await thread.locator('.terminal-line .ansi-fg-2').count()).toBeGreaterThan(5);
    expect(await thread.locator('.terminal-text').innerText()).toContain('Progress 100%');
    expect(await thread.locator('.hljs-keyword').first().innerText()).toBe('export');
    expect(await thread.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    expect(await thread.locator('audio').count()).toBe(1);
    expect(await page.getByText('41% ctx').count()).toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('shows an agent of version 2 as any other: states, patches, output of terminals, questions, messages told whole', async () => {
    const { page, problems } = await startSession(browser, server, 'second');
    await say(page, 'make the test deterministic');
    const card = page.getByRole('region', { name: 'Waiting for you: May it be repaired?' });
    await card.waitFor();
    const list = page.getByRole('navigation', { name: 'Sessions' });
    await list.locator('[aria-current]').getByText('Waiting for you').waitFor();
    await card.locator('.question-command').waitFor();
    expect(await card.innerText()).toMatch(/It writes files\.[\s\S]*npm run fix[\s\S]*in \/w/);
    const thread = page.getByRole('log');
    await thread.locator('.diff-table ins', { hasText: 'await clock.sleep(100);' }).waitFor();
    expect(await thread.locator('mark.diff-word').allInnerTexts()).toContain('clock.');
    await thread.locator('.terminal-line', { hasText: '✓ grüß' }).waitFor();
    expect(await thread.locator('.terminal-line .ansi-fg-2').allInnerTexts()).toEqual(['✓']);
    await thread.getByText('Exit code 3').waitFor();
    await card.locator('.question-allow[aria-disabled=false]').click();
    await untilSaid(page, 'The whole answer: go');
    await untilIdle(page);
    expect(await thread.locator('.message-agent').count()).toBe(1);
    expect(await thread.locator('.message-user').count()).toBe(1);
    await expect.poll(() => list.locator('[aria-current]').getByText('Waiting for you').count()).toBe(0);
    await page.getByRole('complementary', { name: 'Changes' }).getByText('clock.ts').waitFor();
    await page.reload();
    await untilSaid(page, 'The whole answer: go');
    await thread.locator('.terminal-line', { hasText: '✓ grüß' }).waitFor();
    await thread.locator('.diff-table ins', { hasText: 'await clock.sleep(100);' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('draws a change side by side, and copies it as a patch', async () => {
    const { page } = await startSession(browser, server, 'everything', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await say(page, 'go');
    await page.locator('.thread .diff').waitFor();
    await page.locator('.thread .diff').getByRole('button', { name: 'Split' }).click();
    expect(await page.locator('.thread .diff-split .diff-removed-side').count()).toBeGreaterThan(0);
    await page
      .locator('.thread .diff')
      .getByRole('button', { name: /^Copy patch/ })
      .click();
    await page.locator('.thread .diff').getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^diff --git a\/w\/src\/retry\.ts/);
    await page.context().close();
  });

  it('stays where the reader put it while more comes, and goes to the end by the pill or a prompt', async () => {
    const { page, problems } = await startSession(browser, server, 'long');
    await say(page, 'tell me a lot');
    await untilSaid(page, `Message ${LONG - 1} of many.`);
    const scroller = page.locator('.thread-scroll');
    await scroller.evaluate((element) => element.scrollBy(0, -3000));
    const pill = page.getByRole('button', { name: /go to the end/ });
    await pill.waitFor();
    // What is above takes its real height when it comes near; then nothing moves any more.
    await page.waitForFunction(
      () => {
        const { scrollTop } = document.querySelector('.thread-scroll') as Element;
        const isSame = (window as { lastTop?: number }).lastTop === scrollTop;
        (window as { lastTop?: number }).lastTop = scrollTop;
        return isSame;
      },
      undefined,
      { polling: 200 },
    );
    const seen = await firstSeen(page);
    await page.getByLabel('Mode').selectOption('code');
    await untilIdle(page);
    expect(await firstSeen(page)).toBe(seen);
    expect(await pill.isVisible()).toBe(true);
    expect(await page.locator('.message').count()).toBeLessThan(400);
    await pill.click();
    await pill.waitFor({ state: 'detached' });
    await page.waitForFunction(() => {
      const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.thread-scroll') as Element;
      return scrollHeight - scrollTop - clientHeight < 2;
    });
    expect(await page.locator('.message').last().innerText()).toContain('The very last words.');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('says how a turn ended that failed or was stopped', async () => {
    const failing = await startSession(browser, server, 'fails');
    await say(failing.page, 'go');
    await failing.page.locator('.turn-end-bad').waitFor();
    expect(await failing.page.locator('.turn-end-bad').innerText()).toContain('The model is gone');
    await failing.page.context().close();
    const { page } = await startSession(browser, server, 'waits');
    await say(page, 'go');
    await untilSaid(page, 'Working on it');
    await page.keyboard.press('Escape');
    await page.getByText(/^Cancelled after /).waitFor();
    await page.context().close();
  });

  it('stops a turn that ran already when the page was opened', async () => {
    const { page } = await startSession(browser, server, 'waits');
    await say(page, 'go');
    await untilSaid(page, 'Working on it');
    await page.reload();
    await untilSaid(page, 'Working on it');
    await page.getByRole('button', { name: 'Stop' }).click();
    await untilIdle(page);
    await page.context().close();
  });
});

/** The text of the first message that is seen. */
function firstSeen(page: Awaited<ReturnType<typeof startSession>>['page']): Promise<string> {
  return page.evaluate(() => {
    const { top } = (document.querySelector('.thread-scroll') as Element).getBoundingClientRect();
    const messages = [...document.querySelectorAll('.message')];
    return messages.find((message) => message.getBoundingClientRect().top >= top)?.textContent ?? '';
  });
}
