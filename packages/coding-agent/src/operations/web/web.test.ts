import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isPrivateAddress } from './addresses.ts';
import { createWeb, type WebOptions } from './web.ts';

const MAX_BYTES = 100_000;

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const onlyThisServer: WebOptions = { mayReach: (address) => address === '127.0.0.1' };
const fetchPage = (url: string, options: WebOptions = onlyThisServer, signal?: AbortSignal) =>
  createWeb(options).fetch(url, { maxBytes: MAX_BYTES, ...(signal && { signal }) });

describe('fetching a page', () => {
  it('gives the text of HTML and leaves other text as it is', async () => {
    const port = await serve(({ url }, response) => {
      if (url === '/html')
        response.setHeader('content-type', 'text/html; charset=utf-8').end('<h1>Hi</h1><p>there</p>');
      else response.setHeader('content-type', 'application/json').end('{"a":1}');
    });
    const page = await fetchPage(`http://127.0.0.1:${port}/html`);
    expect(page).toMatchObject({ status: 200, text: '# Hi\n\nthere', isTruncated: false });
    expect((await fetchPage(`http://127.0.0.1:${port}/json`)).text).toBe('{"a":1}');
  });

  it('reads what is compressed, and no more than asked for', async () => {
    const port = await serve((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
        .end(gzipSync('x'.repeat(10_000_000))),
    );
    const { text, isTruncated } = await fetchPage(`http://127.0.0.1:${port}/`);
    expect(text).toHaveLength(MAX_BYTES);
    expect(isTruncated).toBe(true);
  });

  it('refuses what is not text', async () => {
    const port = await serve((_request, response) => response.setHeader('content-type', 'image/png').end('x'));
    await expect(fetchPage(`http://127.0.0.1:${port}/`)).rejects.toThrow('is image/png, not text');
  });

  it('gives errors of the server to the model, and says when there is no server', async () => {
    const port = await serve((_request, response) => response.writeHead(404).end('gone'));
    expect(await fetchPage(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 404, text: 'gone' });
    await expect(fetchPage('http://127.0.0.1:1/')).rejects.toThrow('127.0.0.1:1 could not be reached');
    await expect(fetchPage('http://nowhere.invalid/', { resolve: async () => [] })).rejects.toThrow(
      'could not be found',
    );
  });

  it('gives up in the end, and at once when cancelled', async () => {
    const port = await serve(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('x'),
    );
    const url = `http://127.0.0.1:${port}/`;
    await expect(fetchPage(url, { ...onlyThisServer, timeoutMs: 50 })).rejects.toThrow('did not answer within 0.05 s');
    const controller = new AbortController();
    const fetching = fetchPage(url, onlyThisServer, controller.signal);
    setTimeout(() => controller.abort(new Error('cancelled')), 20);
    await expect(fetching).rejects.toThrow('cancelled');
  });
});

describe('the guard against private networks', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.31.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::7f00:1]/',
    'http://[::10.0.0.1]/',
  ])('refuses %s', async (url) => {
    await expect(fetchPage(url, {})).rejects.toThrow('is on a private network');
  });

  it('refuses a name that stands for a private address, alone or among others', async () => {
    const port = await serve((_request, response) => response.end('secret'));
    const url = `http://innocent.example:${port}/`;
    await expect(fetchPage(url, { resolve: async () => ['127.0.0.1'] })).rejects.toThrow('private network (127.0.0.1)');
    await expect(fetchPage(url, { resolve: async () => ['93.184.216.34', '10.0.0.1'] })).rejects.toThrow('(10.0.0.1)');
    await expect(fetchPage(`http://localhost:${port}/`, {})).rejects.toThrow('private network');
  });

  it('refuses to be led inside by a redirect', async () => {
    const port = await serve(({ url }, response) => {
      const target = url === '/file' ? 'file:///etc/passwd' : `http://127.0.0.2:${port}/secret`;
      response.writeHead(302, { location: target }).end();
    });
    const page = await fetchPage(`http://127.0.0.1:${port}/`);
    expect(page).toMatchObject({ redirect: `http://127.0.0.2:${port}/secret`, text: '' });
    await expect(fetchPage(page.redirect ?? '')).rejects.toThrow('private network (127.0.0.2)');
    await expect(fetchPage(`http://127.0.0.1:${port}/file`)).rejects.toThrow('file: is not fetched');
  });

  it('fetches no other page that it is led to, whoever may be asked: that is a question of its own', async () => {
    const asked: (string | undefined)[] = [];
    const port = await serve(({ url, headers }, response) => {
      asked.push(headers.host);
      if (url === '/start') response.writeHead(302, { location: `http://localhost:${port}/data?secret=1` }).end();
      else response.setHeader('content-type', 'text/plain').end('arrived');
    });
    const everywhere: WebOptions = { mayReach: () => true, resolve: async () => ['127.0.0.1'] };
    const page = await fetchPage(`http://127.0.0.1:${port}/start`, everywhere);
    expect(page).toMatchObject({ redirect: `http://localhost:${port}/data?secret=1`, text: '' });
    expect(asked).toEqual([`127.0.0.1:${port}`]);
  });

  it('follows a redirect to another spelling of the page, but not for ever', async () => {
    const port = await serve(({ url = '' }, response) => {
      if (url === '/page/') response.setHeader('content-type', 'text/plain').end('arrived');
      else response.writeHead(302, { location: url.endsWith('/') ? url.slice(0, -1) : `${url}/` }).end();
    });
    const arrived = { text: 'arrived', url: `http://127.0.0.1:${port}/page/` };
    expect(await fetchPage(`http://127.0.0.1:${port}/page`)).toMatchObject(arrived);
    await expect(fetchPage(`http://127.0.0.1:${port}/loop`)).rejects.toThrow('redirects more than 5 times');
  });

  it('connects to the address that it has checked, whatever the name means a moment later', async () => {
    const hosts: (string | undefined)[] = [];
    const port = await serve(({ headers }, response) => {
      hosts.push(headers.host);
      response.setHeader('content-type', 'text/plain').end('ok');
    });
    let lookups = 0;
    const resolve = async (): Promise<readonly string[]> => (++lookups === 1 ? ['127.0.0.1'] : ['127.0.0.9']);
    const page = await fetchPage(`http://rebinding.example:${port}/`, { ...onlyThisServer, resolve });
    expect(page.text).toBe('ok');
    expect(hosts).toEqual([`rebinding.example:${port}`]);
    expect(lookups).toBe(1);
  });

  it('knows public addresses as such', () => {
    for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8']) {
      expect(isPrivateAddress(address), address).toBe(false);
    }
    expect(isPrivateAddress('example.com')).toBe(true);
  });
});
