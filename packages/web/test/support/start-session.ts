import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ServedPage } from './open-server.ts';

export interface StartedPage {
  readonly page: Page;
  /** What the page complained about: errors of scripts, and what its security policy has kept from it. */
  readonly problems: string[];
  /** Requests that went anywhere but to the server. */
  readonly strays: string[];
}

/** A page of its own with a new session of an agent. */
export async function startSession(
  browser: Browser,
  server: ServedPage,
  agent: string,
  options: BrowserContextOptions = {},
): Promise<StartedPage> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const strays: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.origin) && !/^(data|blob|about):/.test(url)) strays.push(url);
  });
  await page.goto(server.link);
  await page.goto(`${server.origin}/#/new`);
  await page.getByRole('radio', { name: agent }).check();
  await page.getByRole('button', { name: /start/i }).click();
  await page.locator('.composer-input').waitFor();
  return { page, problems, strays };
}

/** Writes a prompt and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator('.composer-input').fill(text);
  await page.locator('.composer-input').press('Enter');
}

/** Waits until the agent has said something. What a screen reader is told has the same words, and is not meant. */
export async function untilSaid(page: Page, text: string): Promise<void> {
  await page.locator('.message-agent').getByText(text).first().waitFor();
}

/** Waits until the agent is free. */
export async function untilIdle(page: Page): Promise<void> {
  await page.locator('.working').waitFor({ state: 'detached' });
}
