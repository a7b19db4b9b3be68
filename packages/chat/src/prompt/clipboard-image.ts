import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface ClipboardOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

/** A program that writes the image of the clipboard to stdout as PNG, or as Base64 of it. */
interface Reader {
  readonly command: string;
  readonly args: readonly string[];
  readonly isBase64?: boolean;
}

const TIMEOUT_MS = 5000;
const MAX_BYTES = 32 * 1024 * 1024;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** The images that were pasted in one chat, as files that go with it. */
export class ClipboardImages {
  readonly #options: ClipboardOptions;
  #folder: string | undefined;
  #count = 0;

  constructor(options: ClipboardOptions) {
    this.#options = options;
  }

  /** Writes the image of the clipboard to a file and resolves to its path. Throws in words when there is none. */
  async read(): Promise<string> {
    const png = await readImage(this.#options);
    this.#folder ??= await mkdtemp(join(tmpdir(), 'parley-images-'));
    this.#count += 1;
    const path = join(this.#folder, `image-${this.#count}.png`);
    await writeFile(path, png, { mode: 0o600 });
    return path;
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

async function readImage({ env, platform = process.platform }: ClipboardOptions): Promise<Buffer> {
  const readers = readersFor(platform, env);
  let isSomeThere = false;
  for (const { command, args, isBase64 } of readers) {
    const options = { encoding: 'buffer', timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, env, windowsHide: true } as const;
    try {
      const { stdout } = await promisify(execFile)(command, [...args], options);
      isSomeThere = true;
      const image = isBase64 ? Buffer.from(stdout.toString('latin1').trim(), 'base64') : stdout;
      if (image.subarray(0, PNG.length).equals(PNG)) return image;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') isSomeThere = true;
    }
  }
  if (isSomeThere) throw new Error('There is no image in the clipboard.');
  const names = [...new Set(readers.map(({ command }) => command))].join(' or ');
  throw new Error(`The clipboard cannot be read here: ${names} is missing. Name a file with @ instead.`);
}

function readersFor(platform: NodeJS.Platform, env: ClipboardOptions['env']): readonly Reader[] {
  if (platform === 'darwin') return [{ command: 'pngpaste', args: ['-'] }, OSASCRIPT];
  if (platform === 'win32') return [{ ...POWERSHELL, command: 'powershell.exe' }];
  const wayland: Reader = { command: 'wl-paste', args: ['--no-newline', '--type', 'image/png'] };
  const x11: Reader = { command: 'xclip', args: ['-selection', 'clipboard', '-target', 'image/png', '-out'] };
  // Under WSL the clipboard is the one of Windows.
  const windows: readonly Reader[] = env.WSL_DISTRO_NAME === undefined ? [] : [POWERSHELL];
  return env.WAYLAND_DISPLAY ? [wayland, x11, ...windows] : [x11, wayland, ...windows];
}

/** AppleScript shows data as «data PNGf89504E47…»; what is between is turned back by another program of the system. */
const OSASCRIPT: Reader = {
  command: 'sh',
  args: [
    '-c',
    `osascript -e 'get the clipboard as «class PNGf»' | sed -e 's/^«data PNGf//' -e 's/»$//' | xxd -r -p | base64`,
  ],
  isBase64: true,
};

const POWERSHELL: Reader = {
  command: 'powershell.exe',
  args: [
    '-NoProfile',
    '-STA',
    '-Command',
    'Add-Type -AssemblyName System.Windows.Forms,System.Drawing; $i=[Windows.Forms.Clipboard]::GetImage(); if ($i) ' +
      '{ $m=New-Object IO.MemoryStream; $i.Save($m,[Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($m.ToArray()) }',
  ],
  isBase64: true,
};
