import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import headless, { type IBufferCell, type Terminal } from '@xterm/headless';
import type { Browser } from 'playwright-core';

const COLUMNS = 92;
const ROWS = 30;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the chat in a terminal, has it answer a question and ask one, and draws what the terminal shows. */
export async function drawChat(
  browser: Browser,
  { cwd, path }: { readonly cwd: string; readonly path: string },
): Promise<void> {
  const terminal = new headless.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const words = ['--conditions=source', '--import', `${root}node_modules/tsx/dist/loader.mjs`];
  const pty = spawn(process.execPath, [...words, `${root}packages/cli/src/parley.program.ts`], {
    cols: COLUMNS,
    rows: ROWS,
    cwd,
    name: 'xterm-256color',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: `${cwd}/..`,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
    },
  });
  pty.onData((data) => terminal.write(data));
  terminal.onData((data) => pty.write(data));
  const shows = async (text: string): Promise<void> => {
    const deadline = Date.now() + 60_000;
    while (!screenOf(terminal).includes(text)) {
      if (Date.now() > deadline) throw new Error(`The chat does not show "${text}":\n${screenOf(terminal)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  try {
    await shows('Message, / for commands');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    pty.write('read README.md, then append "Used by the client." to README.md\r');
    await shows('Allow');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const page = await browser.newPage({ viewport: { width: 820, height: 590 } });
    await page.setContent(pictureOf(terminal));
    await page.locator('pre').screenshot({ path });
    await page.close();
  } finally {
    pty.kill();
  }
}

function screenOf({ buffer: { active } }: Terminal): string {
  return Array.from(
    { length: ROWS },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
  ).join('\n');
}

function pictureOf({ buffer: { active } }: Terminal): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return Array.from({ length: COLUMNS }, (_, column) => drawCell(line?.getCell(column))).join('');
  });
  const style = 'background:#1b1d21;color:#e3e5e8;margin:0;padding:14px;font:14px/1.3 monospace;display:inline-block';
  return `<body style="margin:0"><pre style="${style}">${rows.join('\n').trimEnd()}</pre></body>`;
}

function drawCell(cell: IBufferCell | undefined): string {
  const text = (cell?.getChars() || ' ').replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  if (!cell) return text;
  const [ink, paper] = [colorOf(cell, 'Fg'), colorOf(cell, 'Bg')];
  const [front, back] = cell.isInverse() ? [paper ?? '#1b1d21', ink ?? '#e3e5e8'] : [ink, paper];
  const style = [
    front && `color:${front}`,
    back && `background:${back}`,
    cell.isBold() && 'font-weight:bold',
    cell.isDim() && 'opacity:.65',
  ].filter(Boolean);
  return style.length === 0 ? text : `<span style="${style.join(';')}">${text}</span>`;
}

const BASIC =
  '#4b5058 #f2938c #74c98a #e6b35c #7eb0f5 #c9a0f0 #6cc7c9 #d7dade #8b929c #ffaaa3 #90dda4 #f2c77c #9cc4fb #dab8f7 #88dcde #ffffff'.split(
    ' ',
  );

function colorOf(cell: IBufferCell, which: 'Fg' | 'Bg'): string | undefined {
  if (cell[`is${which}Default`]()) return undefined;
  const value = cell[`get${which}Color`]();
  if (cell[`is${which}RGB`]()) return `#${value.toString(16).padStart(6, '0')}`;
  if (value < 16) return BASIC[value];
  if (value >= 232)
    return `rgb(${Array(3)
      .fill((value - 232) * 10 + 8)
      .join()})`;
  const step = (part: number): number => (part === 0 ? 0 : part * 40 + 55);
  const index = value - 16;
  return `rgb(${step(Math.floor(index / 36))},${step(Math.floor(index / 6) % 6)},${step(index % 6)})`;
}
