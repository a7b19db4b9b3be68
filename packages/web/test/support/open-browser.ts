import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser that tests drive: `PARLEY_BROWSER`, or the first of the usual names on the path. */
export const browserPath: string | undefined = process.env.PARLEY_BROWSER ?? findBrowser();

if (browserPath === undefined)
  process.stderr.write('No chromium was found; tests of the page are skipped. Install one, or set PARLEY_BROWSER.\n');

/** One browser for a file of tests; each test opens a context of its own. */
export async function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('There is no browser; skip tests that need one by browserPath.');
  return chromium.launch({
    executablePath: browserPath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
