/** The wires of the documents, with nothing but Node and `ws`. Each sends texts, and hands over each text that comes. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';

/** Lines, or `Content-Length` frames, on stdin and stdout; with `mirrors` in the framing of the first message (S3:14). */
export function openStdio({ framing = 'lines', mirrors = false } = {}, onText) {
  let output = framing;
  let buffer = Buffer.alloc(0);
  process.stdin.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let frame = nextFrame(buffer); frame; frame = nextFrame(buffer)) {
      buffer = frame.rest;
      if (mirrors) output = frame.framing;
      mirrors = false;
      if (frame.text.trim() !== '') onText(frame.text);
    }
  });
  return (text) => {
    const framed = output === 'lines' ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    process.stdout.write(framed);
  };
}

/** The wire of a client to an address: `ws:`, `http+sse:` (S3:17) or `http+post:` (S4:1084). */
export function dial(address, onText) {
  const url = address.replace(/^http\+\w+/, 'http');
  const headers = { authorization: `Bearer ${process.env.TOKEN}` };
  if (address.startsWith('ws:')) return dialWebSocket(url, headers, onText);
  return address.startsWith('http+sse:') ? dialEvents(url, headers, onText) : dialPosts(url, headers, onText);
}

function dialWebSocket(url, headers, onText) {
  const socket = new WebSocket(url, { headers });
  const opened = new Promise((resolve) => socket.once('open', resolve));
  socket.on('message', (data) => onText(String(data)));
  return (text) => void opened.then(() => socket.send(text));
}

/** What is posted is answered with a status alone; everything comes as `data:` lines of one stream. */
function dialEvents(url, headers, onText) {
  const client = `client_id=${randomUUID()}`;
  const opened = fetch(`${url}/acp/sse?${client}`, { headers });
  void opened.then(async ({ body }) => {
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
        if (data.length > 0 && data[0] !== '') onText(data.join('\n'));
      }
    }
  });
  let last = opened;
  return (text) => {
    last = last.then(async () => {
      const response = await post(`${url}/acp/rpc?${client}`, headers, text);
      if (!response.ok || (await response.text()) !== '') throw new Error(`POST was answered with ${response.status}`);
    });
  };
}

/** The answer to a request is the body. */
function dialPosts(url, headers, onText) {
  return async (text) => {
    const response = await post(url, headers, text);
    const body = await response.text();
    if (body !== '') onText(body);
  };
}

const post = (url, headers, body) =>
  fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });

/** The wire of an agent that is served: prints its port, and serves one client at a time. */
export function serve(kind, onText) {
  let say = () => {};
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname === '/acp/sse' && request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      say = (text) => response.write(`data: ${text}\n\n`);
      return;
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (kind !== 'post') {
      response.writeHead(202).end();
      return onText(text);
    }
    const { id } = JSON.parse(text);
    if (id === undefined) response.writeHead(202).end();
    else {
      // The document has no way for what is not an answer.
      const before = say;
      say = (answer) => {
        if (JSON.parse(answer).id !== id || JSON.parse(answer).method !== undefined) return before(answer);
        say = before;
        response.setHeader('content-type', 'application/json').end(answer);
      };
    }
    onText(text);
  });
  if (kind === 'websocket') {
    new WebSocketServer({ server }).on('connection', (socket) => {
      say = (text) => socket.send(text);
      socket.on('message', (data) => onText(String(data)));
    });
  }
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
  return (text) => say(text);
}

function nextFrame(buffer) {
  const header = /^Content-Length: *(\d+)\r\n\r\n/i.exec(buffer.subarray(0, 100).toString('latin1'));
  if (header) {
    const end = header[0].length + Number(header[1]);
    if (buffer.length < end) return undefined;
    return {
      text: buffer.subarray(header[0].length, end).toString(),
      rest: buffer.subarray(end),
      framing: 'content-length',
    };
  }
  const newline = buffer.indexOf(10);
  if (newline < 0 || buffer.subarray(0, 15).toString().toLowerCase().startsWith('content-length')) return undefined;
  return { text: buffer.subarray(0, newline).toString(), rest: buffer.subarray(newline + 1), framing: 'lines' };
}
