import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Need } from '../needs/index.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser that tests drive: `PARLEY_BROWSER`, or the first of the usual names on the path. */
export const browserPath: string | undefined = process.env.PARLEY_BROWSER ?? findBrowser();

export const BROWSER: Need = {
  isMet: browserPath !== undefined,
  reason: 'no chromium found (apt-get install chromium, or set PARLEY_BROWSER)',
};

/** Options for the `chromium.launch` of Playwright: no network of its own, and no sandbox, which root cannot have. */
export function browserOptions(): { executablePath: string; headless: true; args: string[] } {
  if (browserPath === undefined) throw new Error('No browser was found; tests that need one are skipped by BROWSER.');
  return {
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
  };
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
