import { browserOptions } from '@parley/testing/browser';
import { type Browser, chromium } from 'playwright-core';

/** One browser for a file of tests; each test opens a context of its own. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch(browserOptions());
}
