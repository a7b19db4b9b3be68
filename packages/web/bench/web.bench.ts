/**
 * The conversation in a real browser, served by the real server: ten thousand pieces of Markdown streamed into it, as one message
 * and as twenty, and the first sight of a stored session with ten thousand entries.
 *
 *   npx tsx --conditions=source packages/web/bench/web.bench.ts [--json]
 */

import { browserPath } from '@parley/testing/browser';
import { END_TURN, type Step } from '@parley/testing/scripted-agent';
import type { Browser, Page } from 'playwright-core';
import { MARKDOWN } from '../test/support/odd-content.ts';
import { openBrowser } from '../test/support/open-browser.ts';
import type { ServedPage } from '../test/support/open-server.ts';
import { openScriptedServer } from '../test/support/scripted-server.ts';
import { say, startSession } from '../test/support/start-session.ts';

interface Figure {
  readonly workload: string;
  readonly unit: string;
  readonly value: number;
  readonly hold?: number;
}

const CHUNKS = 10_000;
const CHUNK_CHARACTERS = 10;
const ENTRIES = 10_000;
const END = 'That was all of it.';
/** A busy machine takes its time. */
const DEADLINE_MS = 300_000;
/** A frame that takes longer than this was dropped by a screen of 60 frames a second, at least one. */
const DROPPED_MS = 25;

/** As text: what compiles this file would add words to a function that the page does not know. */
const COUNT_DROPPED = `
  window.dropped = 0;
  let last = performance.now();
  const count = (now) => {
    if (now - last > ${DROPPED_MS}) window.dropped += Math.round((now - last) / (1000 / 60)) - 1;
    last = now;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
`;

/** When the first message was drawn, as text for the same reason. */
const NOTE_FIRST = `
  const look = () => {
    if (document.querySelector('.message-agent')) window.firstSeen = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

const figures: Figure[] = [];
if (browserPath !== undefined) await measureAll();
if (process.argv.includes('--json')) console.log(JSON.stringify({ figures }));
else for (const figure of figures) console.log(describe(figure));
process.exit(0);

async function measureAll(): Promise<void> {
  const [server, browser] = await Promise.all([
    openScriptedServer({
      one: { on: { 'session/prompt': streamed(1) } },
      twenty: { on: { 'session/prompt': streamed(20) } },
      stored: { on: { 'session/prompt': entries() } },
    }),
    openBrowser(),
  ]);
  try {
    await measureStream(browser, server, 'one', 'one message', 1000);
    await measureStream(browser, server, 'twenty', '20 messages', 1000);
    await measureFirstPaint(browser, server);
  } finally {
    await browser.close();
    await server[Symbol.asyncDispose]();
  }
}

/** Markdown in pieces that stop anywhere, as models write it. */
function streamed(messages: number): Step[] {
  const each = (CHUNKS * CHUNK_CHARACTERS) / messages;
  const text = MARKDOWN.repeat(Math.ceil(each / MARKDOWN.length)).slice(0, each);
  const steps: Step[] = [];
  for (let message = 0; message < messages; message += 1) {
    for (let start = 0; start < text.length; start += CHUNK_CHARACTERS)
      steps.push({ do: 'say', text: text.slice(start, start + CHUNK_CHARACTERS), messageId: `m${message}` });
  }
  return [...steps, { do: 'say', text: END, messageId: 'end' }, END_TURN];
}

/** Messages and tool calls in turn. */
function entries(): Step[] {
  const message = {
    sessionUpdate: 'agent_message_chunk',
    messageId: 'm$index',
    content: { type: 'text', text: 'Step **$index** is `done`.' },
  };
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 't$index',
    title: 'Read src/file-$index.ts',
    kind: 'read',
    status: 'completed',
  };
  const steps: Step[] = [
    { do: 'update', update: message },
    { do: 'update', update: call },
  ];
  return [{ do: 'repeat', times: ENTRIES / 2, steps }, { do: 'say', text: END, messageId: 'end' }, END_TURN];
}

async function measureStream(
  browser: Browser,
  server: ServedPage,
  agent: string,
  name: string,
  hold: number,
): Promise<void> {
  const { page } = await startSession(browser, server, agent);
  const meter = await page.context().newCDPSession(page);
  await meter.send('Performance.enable');
  const read = async (): Promise<Record<string, number>> => {
    const { metrics } = await meter.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map((metric) => [metric.name, metric.value]));
  };
  await page.evaluate(COUNT_DROPPED);
  const before = await read();
  await say(page, 'go');
  await untilEnd(page);
  const after = await read();
  const spent = (metric: string): number => ((after[metric] ?? 0) - (before[metric] ?? 0)) * 1000;
  figures.push(
    { workload: `web: 10,000 chunks into ${name}, scripting`, unit: 'ms', value: spent('ScriptDuration'), hold },
    { workload: `web: 10,000 chunks into ${name}, all work of the page`, unit: 'ms', value: spent('TaskDuration') },
    {
      workload: `web: 10,000 chunks into ${name}, dropped frames`,
      unit: 'frames',
      value: await page.evaluate(() => (window as { dropped?: number }).dropped ?? 0),
    },
  );
  await page.context().close();
}

/** From the reload of the page to the last message of a stored session, with all that lies between: connection, replay, drawing. */
async function measureFirstPaint(browser: Browser, server: ServedPage): Promise<void> {
  const { page } = await startSession(browser, server, 'stored');
  await say(page, 'go');
  await untilEnd(page);
  await page.reload();
  await untilEnd(page);
  await page.addInitScript(NOTE_FIRST);
  const first: number[] = [];
  const last: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await page.reload({ waitUntil: 'commit' });
    await untilEnd(page);
    first.push(Number(await page.evaluate('window.firstSeen')));
    last.push(await page.evaluate(() => performance.now()));
  }
  const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[1] ?? 0;
  const workload = 'web: a stored session of 10,000 entries';
  figures.push({ workload: `${workload}, first paint`, unit: 'ms', value: median(first), hold: 1000 });
  figures.push({ workload: `${workload}, until its end is seen`, unit: 'ms', value: median(last) });
  await page.context().close();
}

/** Waits until the last words are drawn, looking once a frame. */
async function untilEnd(page: Page): Promise<void> {
  await page.waitForFunction(
    (end) => [...document.querySelectorAll('.message-agent')].at(-1)?.textContent?.includes(end) ?? false,
    END,
    { polling: 'raf', timeout: DEADLINE_MS },
  );
}

function describe({ workload, value, unit, hold }: Figure): string {
  return `${workload.padEnd(66)} ${value.toFixed(1).padStart(10)} ${unit}${hold === undefined ? '' : `  (hold ${hold})`}`;
}
