import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const FACES = ['websocket', 'http', 'sse', 'memory', 'framing'];

describe('a bundle for browsers', () => {
  it.each(FACES)('of @parley/transports/%s has nothing of Node in it', async (face) => {
    const { metafile, outputFiles } = await bundle(`export * from '@parley/transports/${face}';`);
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.filter((file) => /node_modules|\/node\//.test(file))).toEqual([]);
    expect(inputs.some((file) => file.includes(`transports/src/${face}/`))).toBe(true);
    const code = outputFiles.map(({ text }) => text).join('\n');
    expect(code).not.toMatch(/\bBuffer\b|\bprocess\.|\brequire\(|node:/);
  });
});

/** An import of Node would be an error here, since it has no file. */
function bundle(contents: string) {
  return build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    platform: 'browser',
    conditions: ['source'],
    format: 'esm',
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    outdir: 'out',
    splitting: true,
  });
}
