// The coding agent with a model at hand that says a text as often as the prompt wants, in the bytes of a real one.
import { createCodingAgent } from '@parley/coding-agent';
import { sqliteStore } from '@parley/store/sqlite';
import { ownStdio } from '@parley/transports/stdio';

/** As many events come in one read as would on a fast local connection. */
const EVENTS_PER_READ = 32;

const store = sqliteStore();
await createCodingAgent({
  store,
  env: { PARLEY_BASE_URL: 'http://model.invalid/v1', PARLEY_MODEL: 'bench' },
  discover: { localServers: [], fetch: answer },
}).serve(ownStdio());
await store.close();

async function answer(_url, init) {
  if (!init?.body) return Response.json({ data: [{ id: 'bench' }] });
  const { messages } = JSON.parse(init.body);
  const asked = messages.at(-1).content;
  // The first line is the prompt; what the agent tells of its situation stands behind it.
  const [prompt] = (typeof asked === 'string' ? asked : asked[0].text).split('\n');
  const { count, text } = JSON.parse(prompt);
  const delta = { choices: [{ index: 0, delta: { content: text } }] };
  const event = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'bench', ...delta })}\n\n`;
  const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
  const encoder = new TextEncoder();
  const read = encoder.encode(event.repeat(EVENTS_PER_READ));
  let left = count;
  const body = new ReadableStream({
    pull(controller) {
      if (left >= EVENTS_PER_READ) controller.enqueue(read);
      else {
        controller.enqueue(encoder.encode(event.repeat(left) + end));
        controller.close();
      }
      left -= EVENTS_PER_READ;
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
