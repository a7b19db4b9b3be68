/**
 * Does file operations inside the sandbox: a line of JSON-RPC in, a line out. It checks no paths, because the kernel
 * does. Plain Node in one text, so that it runs wherever Node does and needs no file of ours to be visible in there.
 */
export const FILE_SERVER = `
const fs = require('node:fs/promises');
const { basename, dirname, join } = require('node:path');
const MAX_BYTES = 16 * 1024 * 1024;
const entry = async (path) => {
  const found = await fs.lstat(path);
  const type = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : found.isSymbolicLink() ? 'link' : 'other';
  return { name: basename(path), type, bytes: found.size };
};
const operations = {
  async readBytes({ path }) {
    const { size } = await fs.stat(path);
    if (size > MAX_BYTES) throw new Error(path + ' is larger than ' + MAX_BYTES + ' bytes.');
    return (await fs.readFile(path)).toString('base64');
  },
  async write({ path, data }) {
    await fs.mkdir(dirname(path), { recursive: true });
    const temporary = join(dirname(path), '.' + basename(path) + '.' + process.pid + '.tmp');
    await fs.writeFile(temporary, Buffer.from(data, 'base64'));
    await fs.rename(temporary, path);
  },
  remove: ({ path }) => fs.unlink(path),
  async move({ from, to }) {
    if (await fs.lstat(to).catch(() => undefined)) throw new Error(to + ' exists already; nothing was moved.');
    await fs.mkdir(dirname(to), { recursive: true });
    await fs.rename(from, to);
  },
  list: async ({ path }) => Promise.all((await fs.readdir(path)).map((name) => entry(join(path, name)))),
  stat: ({ path }) => entry(path),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  let answer;
  try {
    answer = { result: (await operations[method](params)) ?? null };
  } catch (error) {
    answer = { error: { code: -32000, message: error.message, data: { errno: error.code } } };
  }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
`;
