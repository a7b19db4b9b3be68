import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BROWSER } from '@parley/testing/browser';
import { needs } from '@parley/testing/needs';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from './support/open-browser.ts';
import { openServer, type ServedPage } from './support/open-server.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const CANARY = 'canary-secret-value';

/** A trace of version 2 with a secret, noise, stderr, and a message that breaks a rule. */
const TRACE = [
  {
    time: 1000,
    direction: 'out',
    message: {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: 2, info: { name: 'c', version: '1' }, capabilities: {} },
    },
  },
  {
    time: 1040,
    direction: 'in',
    message: { id: 0, result: { protocolVersion: 2, info: { name: 'a', version: '1' }, capabilities: {} } },
  },
  { time: 1050, direction: 'in', noise: 'Loading model...' },
  { time: 1060, stderr: `API_KEY=${CANARY}` },
  {
    time: 1100,
    direction: 'out',
    message: { id: 1, method: 'session/new', params: { cwd: 'src', mcpServers: [], _meta: { token: CANARY } } },
  },
  { time: 1200, direction: 'in', message: { id: 1, result: { sessionId: 'recorded' } } },
  ...['one ', 'two ', 'three'].map((text, index) => ({
    time: 1300 + index,
    direction: 'in',
    message: {
      method: 'session/update',
      params: {
        sessionId: 'recorded',
        update: { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text } },
      },
    },
  })),
];

describe('the inspector', needs(BROWSER), () => {
  let server: ServedPage;
  let browser: Browser;
  let context: BrowserContext | undefined;

  beforeAll(async () => {
    [server, browser] = await Promise.all([openServer(), openBrowser()]);
    await prompt(server, 'hello inspector');
  }, 120_000);
  afterEach(async () => {
    await context?.close();
    context = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  async function open(query = '', options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    context = await browser.newContext({ acceptDownloads: true, ...options });
    const page = await context.newPage();
    await page.goto(server.link);
    await page.waitForFunction(() => !location.hash.includes('token'));
    await page.goto(`${server.origin}/#/inspector${query}`);
    await page.locator('.inspector-grid').waitFor();
    return page;
  }
  const rowOf = (page: Page, text: string): Locator =>
    page.locator('.inspector-rows .inspector-row', { hasText: text });

  it('shows what passes as it passes, with pairs and verdicts; filter and choice survive a reload', async () => {
    const page = await open();
    await rowOf(page, 'session/prompt').first().waitFor();
    const before = Number(await page.locator('.inspector-grid').getAttribute('aria-rowcount'));
    await prompt(server, 'a second time');
    await page.waitForFunction(
      (count) => Number(document.querySelector('.inspector-grid')?.getAttribute('aria-rowcount')) > count,
      before,
    );
    await page.locator('.inspector-filter input').fill('method:session/prompt kind:request');
    await page.waitForFunction(() => document.querySelectorAll('.inspector-rows .inspector-row').length === 2);
    await rowOf(page, 'a second time').click();
    await page.getByRole('tab', { name: 'Schema' }).click();
    await page.getByText('As the schema and the rules of the specification have it').waitFor();
    expect(await page.locator('.inspector-panel a').getAttribute('href')).toBe(
      'https://agentclientprotocol.com/protocol/v2/prompt-lifecycle',
    );
    expect(page.url()).toContain('filter=method%3Asession');
    await page.reload();
    await rowOf(page, 'a second time').waitFor();
    expect(await page.locator('.inspector-filter input').inputValue()).toBe('method:session/prompt kind:request');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toContain('Schema');
    await page.getByRole('tab', { name: 'Pair' }).click();
    await page.getByRole('button', { name: /^row \d+$/ }).click();
    await page.locator('.inspector-detail-head', { hasText: 'session/prompt' }).waitFor();
    await page.locator('.inspector-filter input').fill('dir:up');
    await page.getByText('"dir:up" is none of in, out.').waitFor();
  });

  it('opens a recorded file offline, with its secrets masked, and names the rule that a message breaks', async () => {
    const page = await open();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    await openFile(page, server.cwd);
    await page.getByText('file recorded.ndjson, offline').waitFor();
    await page.locator('.inspector-rows .inspector-row').nth(6).waitFor();
    expect(await page.locator('.inspector-rows .inspector-row').count()).toBe(7);
    expect(await page.content()).not.toContain(CANARY);
    await rowOf(page, 'not a message').getByText('Loading model...').waitFor();
    await rowOf(page, '×3').waitFor();
    const broken = rowOf(page, '⚠ schema');
    await broken.click();
    await page.getByRole('tab', { name: 'Schema' }).click();
    await page.getByText('cwd: expected absolute path, got a relative path').waitFor();
    await page.getByText('At cwd the specification has: absolute path.').waitFor();
    await page.getByRole('link', { name: 'protocol/v2/session-setup' }).waitFor();
    await page.getByRole('tab', { name: 'stderr' }).click();
    await page.getByText('API_KEY=[redacted]').first().waitFor();
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.locator('.inspector-panel', { hasText: CANARY }).waitFor();
    expect(sent.filter((line) => !line.startsWith('GET '))).toEqual([]);

    // What is exported is masked again, and the command reads it.
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const path = join(server.cwd, 'exported.ndjson');
    await (await download).saveAs(path);
    await page.getByText('Exported 9 entries; 2 values are masked.').waitFor();
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain(CANARY);
    const shown = showTrace(path);
    expect(shown).toContain('session/new');
    expect(shown).toContain('not as the schema has it: cwd: expected absolute path');
    expect(shown).toContain('(x3)');
  });

  it('is used with the keyboard alone', async () => {
    const page = await open();
    await openFile(page, server.cwd);
    await page.locator('.inspector-rows .inspector-row').nth(6).waitFor();
    const chosen = (): Promise<string> =>
      page.locator('.inspector-row-selected').evaluate((row) => row.getAttribute('aria-rowindex') ?? '');
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.locator('.inspector-grid').focus();
    await press('Home', 'j', 'ArrowDown', 'k');
    expect(await chosen()).toBe('3');
    await press('p');
    expect(await chosen()).toBe('2');
    await press('End');
    expect(await chosen()).toBe('8');
    await press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('.inspector-grid')?.getAttribute('aria-rowcount') === '11');
    await press('ArrowLeft', 'Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('inspector-panel');
    await press('Escape');
    expect(await page.locator('.inspector-detail').count()).toBe(0);
    await press('/');
    await page.keyboard.type('-chunk');
    await press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.inspector-rows .inspector-row').length === 6);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('inspector-grid');
    const download = page.waitForEvent('download');
    await press('e');
    await (await download).cancel();
    await page.getByRole('button', { name: 'Back to live' }).click();
    await page.getByRole('button', { name: 'Recording' }).waitFor();
    await page.locator('.inspector-grid').focus();
    await press(' ');
    await page.getByRole('button', { name: /Paused/ }).waitFor();
  });

  it('has no serious fault for those who see or hear it otherwise, light and dark, wide and narrow', async () => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      const page = await open('', { colorScheme, viewport: { width, height: 720 } });
      await openFile(page, server.cwd);
      await page.locator('.inspector-rows .inspector-row').nth(3).click();
      await page.evaluate(axe.source);
      const faults = await page.evaluate(async () => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run('.inspector');
        return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`);
      });
      expect(faults).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await context?.close();
    }
  });
});

async function openFile(page: Page, folder: string): Promise<void> {
  const path = join(folder, 'recorded.ndjson');
  await writeFile(path, TRACE.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await page.locator('input[type=file]').setInputFiles(path);
  await page.getByText('recorded.ndjson has 7 rows.').waitFor();
}

/** Says something to the agent, by HTTP and so with no other client in between. */
async function prompt({ origin, token, cwd }: ServedPage, text: string): Promise<void> {
  const { connect } = await import('@parley/client');
  const { webSocketAgent } = await import('@parley/transports/websocket');
  const url = `${origin.replace('http', 'ws')}/acp`;
  await using connection = await connect(webSocketAgent(url, { token }));
  const session = await connection.newSession({ cwd });
  await session.prompt(text).result;
}

function showTrace(path: string): string {
  const program = join(root, 'packages', 'cli', 'src', 'parley.program.ts');
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs');
  const words = ['--conditions=source', '--import', tsx, program, 'trace', 'show', path];
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return stdout + stderr;
}
