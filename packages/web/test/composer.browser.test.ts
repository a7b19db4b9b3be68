import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER } from '@parley/testing/browser';
import { needs } from '@parley/testing/needs';
import { END_TURN } from '@parley/testing/scripted-agent';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PIXEL, SETTINGS, SOUND } from './support/odd-content.ts';
import { openBrowser } from './support/open-browser.ts';
import type { ServedPage } from './support/open-server.ts';
import { openScriptedServer } from './support/scripted-server.ts';
import { say, startSession, untilIdle, untilSaid } from './support/start-session.ts';

const COMMANDS = [
  { name: 'review', description: 'Looks at changes', input: { hint: 'which branch' } },
  { name: 'plan', description: 'Makes a plan' },
];

describe('the composer', needs(BROWSER), () => {
  let server: ServedPage;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([
      openScriptedServer({
        takes: {
          ...SETTINGS,
          on: {
            'session/prompt': [
              { do: 'update', update: { sessionUpdate: 'available_commands_update', availableCommands: COMMANDS } },
              { do: 'say', text: 'Heard: $prompt' },
              END_TURN,
            ],
            'session/set_mode': [{ do: 'fail', code: -32000, message: 'Not in this folder' }],
          },
        },
        hears: {
          capabilities: { promptCapabilities: { audio: true, embeddedContext: true } },
          on: { 'session/prompt': [{ do: 'say', text: 'Heard' }, END_TURN] },
        },
        refuses: { capabilities: {}, on: { 'session/prompt': [{ do: 'say', text: 'Heard' }, END_TURN] } },
        steered: {
          capabilities: { promptCapabilities: { _meta: { 'parley/steer': true } } },
          on: {
            'session/prompt': [
              { do: 'say', text: 'Heard: $prompt' },
              { do: 'waitFor', method: 'session/cancel' },
              { do: 'respond', result: { stopReason: 'cancelled' } },
            ],
          },
        },
        slow: {
          capabilities: { promptCapabilities: { image: true } },
          on: {
            'session/prompt': [
              { do: 'say', text: 'Heard: $prompt' },
              { do: 'waitFor', method: 'session/cancel' },
              { do: 'respond', result: { stopReason: 'cancelled' } },
            ],
          },
        },
      }),
      openBrowser(),
    ]);
    writeFileSync(join(server.cwd, 'notes of today.md'), 'x');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  it('sends with Enter, begins a line with Shift+Enter, and brings back what was said with Up', async () => {
    const { page, problems } = await startSession(browser, server, 'takes');
    const input = page.locator('.composer-input');
    await input.fill('one');
    await input.press('Shift+Enter');
    await page.keyboard.type('two');
    await input.press('Enter');
    await untilSaid(page, 'Heard: one');
    expect(await page.locator('.message-user').innerText()).toContain('one\ntwo');
    await untilIdle(page);
    await input.press('ArrowUp');
    expect(await input.inputValue()).toBe('one\ntwo');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('puts the caret behind a completion at once, not a frame later', async () => {
    const { page } = await startSession(browser, server, 'takes');
    await say(page, 'hello');
    await untilSaid(page, 'Heard: hello');
    const input = page.locator('.composer-input');
    await input.pressSequentially(' and more');
    await input.press('Home');
    await input.pressSequentially('@notes');
    await page.getByRole('option', { name: 'notes of today.md' }).waitFor();
    // A busy machine: keys come before the next frame is drawn.
    await page.evaluate(() => {
      globalThis.requestAnimationFrame = () => 0;
      globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout;
    });
    await input.press('Enter');
    await input.press('!');
    expect(await input.inputValue()).toBe('@"notes of today.md"! and more');
    await page.context().close();
  });

  it('offers the commands of the agent and the files of the folder', async () => {
    const { page } = await startSession(browser, server, 'takes');
    await say(page, 'hello');
    await untilSaid(page, 'Heard: hello');
    const input = page.locator('.composer-input');
    await input.pressSequentially('/re');
    await page.getByRole('option', { name: /review which branch/ }).waitFor();
    await input.press('Tab');
    expect(await input.inputValue()).toBe('/review ');
    await page.getByText('which branch').waitFor();
    await input.fill('');
    await input.pressSequentially('see @notes');
    await page.getByRole('option', { name: 'notes of today.md' }).waitFor();
    await input.press('Enter');
    expect(await input.inputValue()).toBe('see @"notes of today.md" ');
    await input.press('Enter');
    await page.locator('.message-user').last().locator('.content-link').waitFor();
    await page.context().close();
  });

  it('takes a pasted image, and refuses what the agent cannot take before anything is sent', async () => {
    const { page, problems } = await startSession(browser, server, 'takes');
    await pasteImage(page);
    await page.locator('.composer-attachment').waitFor();
    expect(await page.locator('.composer-attachment').innerText()).toMatch(/pixel\.png\s*\d+ B/);
    await say(page, 'what is this?');
    await page.locator('.message-user img').waitFor();
    expect(await page.locator('.composer-attachment').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
    const refusing = await startSession(browser, server, 'refuses');
    await pasteImage(refusing.page);
    await refusing.page.getByText('takes no images, so pixel.png was not attached').waitFor();
    expect(await refusing.page.locator('.composer-attachment').count()).toBe(0);
    await refusing.page.context().close();
  });

  it('keeps what waits in sight, and gives it back when the agent is stopped', async () => {
    const { page } = await startSession(browser, server, 'slow');
    await say(page, 'first');
    await untilSaid(page, 'Heard: first');
    await say(page, 'second');
    await say(page, 'third');
    const queue = page.getByRole('list', { name: 'Waiting prompts' });
    expect(await queue.getByRole('listitem').count()).toBe(2);
    await queue.getByRole('button', { name: 'Remove' }).first().click();
    await queue.getByText('third').waitFor();
    expect(await queue.getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Cancelled after /).waitFor();
    expect(await page.locator('.composer-input').inputValue()).toBe('third');
    await page.context().close();
  });

  it('sends into the running turn with Enter and queues with Ctrl+Enter, where the agent can', async () => {
    const { page, problems } = await startSession(browser, server, 'steered');
    await say(page, 'first');
    await untilSaid(page, 'Heard: first');
    await page.getByRole('button', { name: 'Queue' }).waitFor();
    await say(page, 'second');
    await untilSaid(page, 'Heard: second');
    expect(await page.locator('.message-user').allInnerTexts()).toMatchObject([
      expect.stringContaining('first'),
      expect.stringContaining('second'),
    ]);
    await page.locator('.composer-input').fill('third');
    await page.locator('.composer-input').press('Control+Enter');
    await page.getByRole('list', { name: 'Waiting prompts' }).getByText('third').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Cancelled after /).waitFor();
    expect(await page.locator('.composer-input').inputValue()).toBe('third');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('gives what waits back with its attachments, to be edited or when the agent is stopped', async () => {
    const { page } = await startSession(browser, server, 'slow');
    const input = page.locator('.composer-input');
    const queue = page.getByRole('list', { name: 'Waiting prompts' });
    const attachment = page.locator('.composer-attachment');
    await say(page, 'first');
    await untilSaid(page, 'Heard: first');
    await pasteImage(page);
    await attachment.waitFor();
    await say(page, 'look at this');
    await queue.getByText('look at this + 1 attachment').waitFor();
    await attachment.waitFor({ state: 'detached' });
    await input.fill('half a sentence');
    await queue.getByRole('button', { name: 'Edit' }).click();
    await queue.waitFor({ state: 'detached' });
    expect(await input.inputValue()).toBe('half a sentence\n\nlook at this');
    expect(await attachment.innerText()).toMatch(/pixel\.png\s*\d+ B/);
    expect(await attachment.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await input.press('Enter');
    await queue.getByText('+ 1 attachment').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Cancelled after /).waitFor();
    expect(await input.inputValue()).toBe('half a sentence\n\nlook at this');
    await input.press('Enter');
    await page.locator('.message-user img').waitFor();
    await page.context().close();
  });

  it('takes files that are dropped anywhere, and says why it does not take the others', async () => {
    const { page, problems } = await startSession(browser, server, 'hears');
    const attachments = page.locator('.composer-attachment');
    await drop(page, '.thread', [
      { name: 'bell.wav', type: 'audio/wav', base64: SOUND },
      { name: 'notes.md', type: 'text/markdown', base64: btoa('# Notes') },
      { name: 'pixel.png', type: 'image/png', base64: PIXEL },
    ]);
    await page.getByText('takes no images, so pixel.png was not attached. Describe it in words.').waitFor();
    await expect.poll(() => attachments.count()).toBe(2);
    expect(await attachments.allInnerTexts()).toEqual([
      expect.stringMatching(/bell\.wav\s*\d+ B/),
      expect.stringMatching(/notes\.md\s*7 B/),
    ]);
    await say(page, 'listen');
    const sent = page.locator('.message-user');
    await sent.getByText('notes.md').waitFor();
    // A browser that can play it has read how long it is.
    await expect.poll(() => sent.locator('audio').evaluate((audio: HTMLAudioElement) => audio.readyState)).not.toBe(0);
    await drop(page, '.composer', [{ name: 'film.bin', type: '', bytes: 11 * 1024 * 1024 }]);
    await page.getByText(/film\.bin is too large: .*, and .* is the most\./).waitFor();
    expect(await attachments.count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
    const refusing = await startSession(browser, server, 'refuses');
    await drop(refusing.page, '.composer', [
      { name: 'bell.wav', type: 'audio/wav', base64: SOUND },
      { name: 'notes.md', type: 'text/markdown', base64: btoa('# Notes') },
    ]);
    await refusing.page
      .getByText(/takes no audio, so bell\.wav was not attached\..* takes no files, so notes\.md/)
      .waitFor();
    expect(await refusing.page.locator('.composer-attachment').count()).toBe(0);
    await refusing.page.context().close();
  });

  it('goes back with words when the agent refuses a mode', async () => {
    const { page } = await startSession(browser, server, 'takes');
    await page.getByLabel('Mode').selectOption('code');
    await page.getByText('"Mode" stays as it was: Not in this folder').waitFor();
    expect(await page.getByLabel('Mode').inputValue()).toBe('ask');
    await page.context().close();
  });

  it('keeps a draft through a reload', async () => {
    const { page } = await startSession(browser, server, 'takes');
    await say(page, 'hello');
    await untilSaid(page, 'Heard: hello');
    await page.locator('.composer-input').fill('half a sentence');
    await page.reload();
    await page.locator('.composer-input').waitFor();
    expect(await page.locator('.composer-input').inputValue()).toBe('half a sentence');
    await page.context().close();
  });
});

/** Pastes as a browser does it, without a clipboard. */
async function pasteImage(page: Page): Promise<void> {
  await page.locator('.composer-input').evaluate((input, data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'pixel.png', { type: 'image/png' }));
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, PIXEL);
}

interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly base64?: string;
  /** Or so many of no meaning. */
  readonly bytes?: number;
}

/** Drops files as a browser does it, without a desktop. The page must take them, or the browser would leave it. */
async function drop(page: Page, place: string, files: readonly DroppedFile[]): Promise<void> {
  const isTaken = await page.locator(place).evaluate((target, dropped) => {
    const dataTransfer = new DataTransfer();
    for (const { name, type, base64 = '', bytes = 0 } of dropped) {
      const content = bytes > 0 ? new Uint8Array(bytes) : Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
      dataTransfer.items.add(new File([content], name, { type }));
    }
    const fields = { dataTransfer, bubbles: true, cancelable: true };
    const isAllowed = !target.dispatchEvent(new DragEvent('dragover', fields));
    return !target.dispatchEvent(new DragEvent('drop', fields)) && isAllowed;
  }, files);
  expect(isTaken).toBe(true);
}
