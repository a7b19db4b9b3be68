// Makes the pictures of the documentation: `npx tsx --conditions=source scripts/screenshots.ts`. The real server, the real page in a
// real browser, the real chat in a terminal; the coding agent works with its offline model. Needs chromium.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../packages/web/test/support/open-browser.ts';
import { openServer, type ServedPage } from '../packages/web/test/support/open-server.ts';
import { type Visit, visit } from '../packages/web/test/support/visit.ts';
import { drawChat } from './screenshots/draw-chat.ts';

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
mkdirSync(folder, { recursive: true });

const RETRY = `export async function retry<T>(work: () => Promise<T>, times = 3): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= times) throw error;
      await sleep(100);
    }
  }
}
`;

await using server = await openServer();
const browser = await openBrowser();
try {
  writeFileSync(join(server.cwd, 'retry.ts'), RETRY);
  writeFileSync(join(server.cwd, 'README.md'), '# Retry\n\nTries again, three times.\n');
  await showPage(browser, server);
  await drawChat(browser, { cwd: server.cwd, path: join(folder, 'chat.png') });
} finally {
  await browser.close();
}

async function showPage(browser: Browser, { link, origin }: ServedPage): Promise<void> {
  const size = { width: 1180, height: 720 };
  await using visitor = await visit(browser, link, { viewport: size, colorScheme: 'light' });
  const { page } = visitor;
  await visitor.start();
  await visitor.send('read README.md');
  await visitor.idle();
  await page.goto(`${origin}/#/new`);
  await shoot(visitor, 'web-new');
  await visitor.start();
  await visitor.send(
    'search for "sleep" in retry.ts, then replace "sleep(100)" with "clock.sleep(100)" in retry.ts, then run ls -l',
  );
  await visitor.question.waitFor();
  await visitor.question.locator('[aria-disabled=false]').first().waitFor();
  await shoot(visitor, 'web-question');
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(visitor, 'web-question-dark');
  await page.setViewportSize({ width: 390, height: 720 });
  await shoot(visitor, 'web-narrow-dark');
  await page.setViewportSize(size);
  await visitor.allow();
  await visitor.idle();
  await shoot(visitor, 'web-session-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await shoot(visitor, 'web-session');
  await page.setViewportSize({ width: 980, height: 600 });
  await page.goto(`${origin}/#/inspector`);
  await page.locator('[role=grid] [role=row]').nth(3).waitFor();
  await shoot(visitor, 'web-inspector');
}

async function shoot({ page }: Visit, name: string): Promise<void> {
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
