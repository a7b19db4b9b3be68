import { BROWSER } from '@parley/testing/browser';
import { needs } from '@parley/testing/needs';
import { END_TURN, type Step } from '@parley/testing/scripted-agent';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from './support/open-browser.ts';
import type { ServedPage } from './support/open-server.ts';
import { openScriptedServer } from './support/scripted-server.ts';
import { say, startSession, untilIdle, untilSaid } from './support/start-session.ts';

const ESC = '\x1b';
const EVIL = 'https://evil.example';

const MARKDOWN = `<script>window.hacked = 1</script>
<img src=x onerror="window.hacked = 2"> <svg onload="window.hacked = 3"></svg>
<iframe src="javascript:parent.hacked = 4"></iframe><style>body { display: none }</style>
<a href="javascript:window.hacked = 5">click</a> <base href="${EVIL}/"> <meta http-equiv="refresh" content="0;url=${EVIL}">

![tracker](${EVIL}/pixel.png) ![x](javascript:window.hacked=6) [a](javascript:window.hacked=7) [b](java\tscript:window.hacked=8)
[c](data:text/html,<script>window.hacked=9</script>) [d](vbscript:x) [file](file:///etc/passwd) [https://bank.example](${EVIL}/login)
[safe](https://example.org "title\\" onmouseover=window.hacked=10")

[ref]: javascript:window.hacked=11
[ref] &lt;script&gt; \`<img src=x onerror=window.hacked=12>\`

\`\`\`html
<script>window.hacked = 13</script>
\`\`\`

${'very'.repeat(2000)}
`;

const NAME = 'invoice_\u202egpj.exe<img src=x onerror=window.hacked=14>';

const STEPS: readonly Step[] = [
  { do: 'say', text: MARKDOWN, messageId: 'a' },
  // What cannot be read as Markdown is shown as it is.
  { do: 'say', text: `${'>'.repeat(20_000)} <img src=x onerror=window.hacked=33>`, messageId: 'b' },
  {
    do: 'update',
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: '<b>"\'',
      title: `Edit ${NAME}`,
      kind: '"><script>window.hacked=15</script>',
      status: '<img src=x onerror=window.hacked=16>',
      locations: [{ path: `/w/${NAME}` }],
      content: [
        {
          type: 'diff',
          path: `/w/${NAME}`,
          oldText: '<script>window.hacked=17</script>\n',
          newText: `<img src=x onerror=window.hacked=18>\n${'x'.repeat(5000)}\n`,
        },
      ],
      rawInput: { '<img src=x onerror=window.hacked=19>': '</code></pre><script>window.hacked=20</script>' },
    },
  },
  {
    do: 'update',
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 'run',
      kind: 'execute',
      status: 'completed',
      content: [
        {
          type: 'content',
          content: {
            type: 'text',
            text: `${ESC}]0;title${ESC}\\${ESC}]8;;javascript:window.hacked=21${ESC}\\link${ESC}]8;;${ESC}\\ ${ESC}]52;c;ZXZpbA==\x07<script>window.hacked=22</script>\n${ESC}[38;2;1;2;3;url(${EVIL})mcolour${ESC}[0m\n${ESC}[9999;9999Hfar`,
          },
        },
      ],
    },
  },
  {
    do: 'update',
    update: {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'image', mimeType: 'image/png', data: 'x" onerror="window.hacked=23' },
    },
  },
  {
    do: 'update',
    update: {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'image', mimeType: 'text/html', data: 'PHNjcmlwdD4=' },
    },
  },
  {
    do: 'update',
    update: {
      sessionUpdate: 'agent_message_chunk',
      content: {
        type: 'image',
        mimeType: 'image/svg+xml',
        data: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=24"><image href="${EVIL}/a.png"/></svg>`,
        ).toString('base64'),
      },
    },
  },
  {
    do: 'update',
    update: {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'resource_link', name: '<b>x</b>', uri: 'javascript:window.hacked=25' },
    },
  },
  {
    do: 'update',
    update: { sessionUpdate: '<img src=x onerror=window.hacked=26>', html: '<script>window.hacked=27</script>' },
  },
  {
    do: 'update',
    update: {
      sessionUpdate: 'plan',
      entries: [
        {
          content: '<script>window.hacked=28</script>',
          priority: 'high',
          status: 'in_progress',
        },
      ],
    },
  },
  {
    do: 'update',
    update: {
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: '<img src=x onerror=window.hacked=30>', description: '<script>window.hacked=31</script>' },
      ],
    },
  },
  { do: 'say', text: 'The end of it.' },
  END_TURN,
];

describe('content of an agent that means harm', needs(BROWSER), () => {
  let server: ServedPage;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([
      openScriptedServer({ hostile: { on: { 'session/prompt': STEPS } } }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  it('runs nothing, asks nobody, and stays in its place', async () => {
    const { page, problems, strays } = await startSession(browser, server, 'hostile');
    await page.evaluate(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
        (window as { violations?: string[] }).violations = [
          ...((window as { violations?: string[] }).violations ?? []),
          violatedDirective,
        ];
      });
    });
    await say(page, 'harm me <script>window.hacked=32</script>');
    await untilSaid(page, 'The end of it.');
    await untilIdle(page);
    for (const summary of await page.locator('.thread summary').all()) await summary.click();
    await page.locator('.thread .diff').waitFor();
    await page.locator('.plan button').click();
    await page.locator('.composer-input').pressSequentially('/');
    await page.getByRole('option').first().waitFor();

    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.evaluate(() => (window as { violations?: string[] }).violations ?? [])).toEqual([]);
    expect(strays).toEqual([]);
    expect(problems).toEqual([]);

    const foreign =
      '.thread script, .thread iframe, .thread style, .thread base, .thread meta, .thread object, .thread embed';
    expect(await page.locator(foreign).count()).toBe(0);
    const sources = await page
      .locator('.thread img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src.slice(0, 14)));
    expect(sources.filter((source) => !source.startsWith('data:image/'))).toEqual([]);
    const links = await page
      .locator('.thread a')
      .evaluateAll((anchors) =>
        anchors.map((anchor) => [
          anchor.getAttribute('href') ?? '',
          anchor.getAttribute('rel'),
          anchor.getAttribute('target'),
        ]),
      );
    for (const [href, rel, target] of links) {
      expect(href).toMatch(/^(https?:|mailto:)/);
      expect([rel, target]).toEqual(['noopener noreferrer', '_blank']);
    }
    expect(await page.getByText('(leads to evil.example)').count()).toBe(1);
    expect(await page.getByText('invoice_[U+202E]gpj.exe').count()).toBeGreaterThan(0);
    const width = await page.locator('.thread-scroll').evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(width).toBeLessThanOrEqual(0);
    const isInside = await page.evaluate(
      () => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight,
    );
    expect(isInside).toBe(true);
    await page.context().close();
  });
});
