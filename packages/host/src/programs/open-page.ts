import { spawn } from 'node:child_process';

/** Opens a web page in the person's browser; false when the address is not one of a web page. */
export function openPage(address: string): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  if (command === undefined) return false;
  const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true });
  // Without a browser the person still has the address on the screen.
  child.once('error', () => {});
  child.unref();
  return true;
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
