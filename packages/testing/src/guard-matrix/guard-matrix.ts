import { once } from 'node:events';
import { Agent, request as sendRequest } from 'node:http';
import { connect } from 'node:net';

/** A name that the server must be told of with `hosts`, and an origin that it must be told of with `origins`. */
export const MATRIX_HOST = 'agent.example';
export const MATRIX_ORIGIN = 'https://app.example';

export interface GuardMatrixOptions {
  readonly port: number;
  /** The tokens of all who may come in. */
  readonly tokens: readonly string[];
  /** Whether each path asks for one. */
  readonly paths: Readonly<Record<string, 'anyone' | 'token'>>;
}

export interface GuardMatrixReport {
  /** How many cells were judged. */
  readonly cells: number;
  /** Those that came to something else than they must. */
  readonly wrong: readonly string[];
}

/** What each cell of the matrix must come to: refused for its host or origin, refused for its token, or let in. */
export type Verdict = 'foreign' | 'unauthorized' | 'in';

/** One request; what is undefined is not sent. */
export interface GuardCell {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

const HOSTS = [
  ['localhost', true],
  ['LOCALHOST.', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  [MATRIX_HOST, true],
  ['evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['user@localhost', false],
  ['192.168.7.7', false],
  ['', false],
] as const;

const ORIGINS = [
  [undefined, true],
  [MATRIX_ORIGIN, true],
  ['same', true],
  ['https://evil.example', false],
  ['http://app.example', false],
  ['https://app.example.evil.example', false],
  ['http://localhost', false],
  ['null', false],
  ['', false],
] as const;

const METHODS = ['POST', 'GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'WebSocket'] as const;

/** How many cells are judged at the same time. */
const WIDTH = 32;

/** Sends every combination of Host, Origin, token and method to every path, and compares what becomes of it with what must. */
export async function runGuardMatrix({ port, tokens, paths }: GuardMatrixOptions): Promise<GuardMatrixReport> {
  const sender = new GuardSender(port);
  const cells = [...cellsOf(port, tokens, paths)];
  const wrong: string[] = [];
  let next = 0;
  const judgeOn = async (): Promise<void> => {
    for (let cell = cells[next++]; cell; cell = cells[next++]) {
      const { expected, ...sent } = cell;
      const actual = await sender.judge(sent);
      if (actual !== expected) wrong.push(`${JSON.stringify(sent)}: ${actual}, not ${expected}`);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, judgeOn));
  sender.close();
  return { cells: cells.length, wrong };
}

function* cellsOf(
  port: number,
  tokens: readonly string[],
  paths: GuardMatrixOptions['paths'],
): Generator<GuardCell & { readonly expected: Verdict }> {
  for (const [path, access] of Object.entries(paths))
    for (const [name, isOurs] of HOSTS)
      for (const [from, isAllowed] of ORIGINS)
        for (const [authorization, isRight] of authorizations(tokens))
          for (const method of METHODS) {
            const host = name === '' ? '' : `${name}:${port}`;
            const origin = from === 'same' ? `http://${host.toLowerCase()}` : from;
            // A browser asks before it sends, and sends no token with that. A WebSocket is never for anyone.
            const isOpen = method === 'OPTIONS' || (access === 'anyone' && method !== 'WebSocket');
            const expected = !isOurs || !isAllowed ? 'foreign' : isOpen || isRight ? 'in' : 'unauthorized';
            yield { host, origin, authorization, method, path, expected };
          }
}

function authorizations(tokens: readonly string[]): [authorization: string | undefined, isRight: boolean][] {
  const [first = ''] = tokens;
  return [
    ...tokens.map((token): [string, boolean] => [`Bearer ${token}`, true]),
    [`bearer ${first}`, true],
    [undefined, false],
    ['Bearer wrong', false],
    [`Bearer ${first}x`, false],
    [`Bearer ${tokens.join('')}x`, false],
    [`Basic ${first}`, false],
    ['Bearer', false],
  ];
}

/** Sends single cells to one port. */
export class GuardSender {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: WIDTH });

  constructor(port: number) {
    this.#port = port;
  }

  async judge({ method, path, ...fields }: GuardCell): Promise<Verdict> {
    const sent = Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined);
    const headers = Object.fromEntries(sent);
    const status =
      method === 'WebSocket' ? await this.#upgrade(path, headers) : await this.#send(method, path, headers);
    if (status === 403) return 'foreign';
    if (status === 400 && fields.host === '') return 'foreign';
    return status === 401 ? 'unauthorized' : 'in';
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      const target = { host: '127.0.0.1', port: this.#port, agent: this.#agent, setHost: false };
      const request = sendRequest({ ...target, method, path, headers });
      request.on('error', reject);
      request.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      request.end();
    });
  }

  async #upgrade(path: string, headers: Record<string, string>): Promise<number> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    const fields = {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      ...headers,
    };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(head.toString('latin1').split(' ')[1]);
  }
}
