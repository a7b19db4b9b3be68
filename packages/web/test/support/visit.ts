import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ServedPage } from './open-server.ts';

/** Someone who looks at the page, in a browser profile of their own. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** What the browser has complained about. */
  readonly problems: string[];
  /** Begins a session in the folder of the server. */
  start(): Promise<void>;
  send(text: string): Promise<void>;
  /** The card of an open question. */
  readonly question: Locator;
  /** Allows what it asks for, once. */
  allow(): Promise<void>;
  /** Waits until the conversation says something. */
  said(text: string | RegExp): Promise<void>;
  /** Waits until the agent is done. */
  idle(): Promise<void>;
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(url);
  return watch(page, () => context.close());
}

const STEP_MS = 25_000;

/** Another tab of the same profile. */
export async function openTab({ page }: Visit, url: string): Promise<Visit> {
  const tab = await page.context().newPage();
  await tab.goto(url);
  return watch(tab, () => tab.close());
}

function watch(page: Page, close: () => Promise<void>): Visit {
  // A step that fails says so itself, before the test as a whole does.
  page.setDefaultTimeout(STEP_MS);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  const question = page.getByRole('region', { name: /^Waiting for you/ });
  const composer = page.getByLabel('Message to the agent');
  return {
    page,
    problems,
    question,
    async start() {
      await page.getByRole('button', { name: 'Start' }).click();
      await composer.waitFor();
    },
    async send(text) {
      await composer.fill(text);
      await composer.press('Enter');
    },
    async allow() {
      await question.locator('.question-allow[aria-disabled=false]').click();
    },
    async said(text) {
      await page.locator('.thread').getByText(text).first().waitFor();
    },
    async idle() {
      // What was done last is drawn by then.
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(drawn))');
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Send' }).waitFor();
    },
    [Symbol.asyncDispose]: close,
  };
}

export function linkTo(server: ServedPage, route: string): string {
  return `${server.origin}/${route}`;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeFault {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Has axe-core look at the page: nothing serious may be wrong. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const faults = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeFault[] }> } };
    return (await checker.run()).violations;
  });
  const grave = faults.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const described = grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  expect(described).toEqual([]);
}
