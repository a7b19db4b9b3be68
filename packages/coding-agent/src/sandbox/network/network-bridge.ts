/**
 * Starts a program inside a sandbox without a network, with a proxy as its only way out. It listens on the sandbox's own loopback and
 * passes that server by Node's channel to the process outside, which serves it; the channel closes when that is done. No socket
 * in a file is needed, so those stay denied. Plain Node in one text, as `FILE_SERVER`. Arguments: `NO_PROXY`, the program and its words.
 */
export const NETWORK_BRIDGE = `
const { createServer } = require('node:net');
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const [noProxy, command, ...args] = process.argv.slice(1);
const server = createServer().listen(0, '127.0.0.1', () => {
  const proxy = 'http://127.0.0.1:' + server.address().port;
  process.once('disconnect', () => {
    server.close();
    start(proxy);
  });
  process.send('server', server);
});
function start(proxy) {
  const values = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: noProxy };
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1' };
  for (const [name, value] of Object.entries(values)) env[name] = env[name.toLowerCase()] = value;
  const child = spawn(command, args, { stdio: 'inherit', env });
  child.once('error', ({ message }) => {
    console.error(command + ' could not be started: ' + message);
    process.exit(127);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
}
`;
