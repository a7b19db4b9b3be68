// The floor: newline split on Buffers, JSON.parse, JSON.stringify, batched writes, and nothing else.
export function startAgent({ onPrompt }) {
  const send = batchedWriter(process.stdout);
  const answer = (id, result) => send({ jsonrpc: '2.0', id, result });
  const handlers = {
    initialize: ({ id, params }) => answer(id, { protocolVersion: params.protocolVersion, agentCapabilities: {} }),
    'session/new': ({ id }) => answer(id, { sessionId: 's1' }),
    'session/set_mode': ({ id }) => answer(id, {}),
    'session/prompt': async ({ id, params }) => {
      await onPrompt(params, (update) => send({ jsonrpc: '2.0', method: 'session/update', params: update }));
      answer(id, { stopReason: 'end_turn' });
    },
  };
  readLines(process.stdin, (message) => handlers[message.method]?.(message));
  return new Promise((resolve) => process.stdin.on('end', resolve));
}

export function startClient({ readable, writable, onUpdate }) {
  const send = batchedWriter(writable);
  const waiting = new Map();
  let lastId = 0;
  readLines(readable, (message) => {
    if (message.method) return onUpdate(message.params);
    waiting.get(message.id)?.(message.result);
    waiting.delete(message.id);
  });
  return {
    request: (method, params) =>
      new Promise((resolve) => {
        waiting.set(++lastId, resolve);
        send({ jsonrpc: '2.0', id: lastId, method, params });
      }),
    close: async () => writable.end(),
  };
}

function readLines(stream, onMessage) {
  let parts = [];
  stream.on('data', (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      let line = chunk.subarray(start, end);
      if (parts.length > 0) {
        line = Buffer.concat([...parts, line]);
        parts = [];
      }
      onMessage(JSON.parse(line.toString('utf8')));
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}

function batchedWriter(stream) {
  let batch = '';
  const flush = () => {
    const text = batch;
    batch = '';
    if (text) stream.write(text);
    return stream.writableLength > 262_144 ? new Promise((resolve) => stream.once('drain', resolve)) : undefined;
  };
  return (message) => {
    if (batch === '') process.nextTick(flush);
    batch += `${JSON.stringify(message)}\n`;
    if (batch.length > 65_536) return flush();
  };
}
