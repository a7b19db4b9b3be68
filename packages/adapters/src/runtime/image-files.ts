import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PromptImage } from '../invocation/prompt-parts.ts';

/** Images as files, for command lines that take paths; removed by `remove`. */
export class ImageFiles {
  #folder: Promise<string> | undefined;
  #count = 0;

  /** Writes images, readable by their owner alone, and returns their paths. */
  async write(images: readonly PromptImage[]): Promise<readonly string[]> {
    if (images.length === 0) return [];
    this.#folder ??= mkdtemp(join(tmpdir(), 'parley-images-'));
    const folder = await this.#folder;
    return Promise.all(
      images.map(async ({ data, mimeType }) => {
        this.#count += 1;
        const ending = /^image\/([a-z]+)/.exec(mimeType)?.[1] ?? 'bin';
        const path = join(folder, `image-${this.#count}.${ending === 'jpeg' ? 'jpg' : ending}`);
        await writeFile(path, Buffer.from(data, 'base64'), { mode: 0o600 });
        return path;
      }),
    );
  }

  async remove(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
