/** What runs in the thread of a module, as text, so that it is there whichever way this package is bundled. */
export const WORKER_PROGRAM: string = `
const { parentPort, workerData } = require('node:worker_threads');
const say = (reply) => parentPort.postMessage(reply);
const words = (error) => (error instanceof Error ? error.message : String(error));
(async () => {
  const { url, names, loader } = workerData;
  for (const each of loader ?? []) (await import(each)).register();
  const module = await import(url);
  // What a CommonJS module exports is the default of what is imported.
  const found = names.flatMap((name) => [module[name], module.default?.[name]]).find((each) => typeof each === 'function');
  if (!found) return say({ kind: 'unusable', message: "it must export a '" + names[0] + "' function." });
  parentPort.on('message', async ({ id, params }) => {
    try {
      const value = await found(params);
      say({ kind: 'result', id, value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)) });
    } catch (error) {
      say({ kind: 'failed', id, message: words(error) });
    }
  });
  say({ kind: 'ready' });
})().catch((error) => say({ kind: 'unusable', message: words(error) }));
`;
