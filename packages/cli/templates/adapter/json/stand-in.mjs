#!/usr/bin/env node
// Stands in for the command-line agent that my-adapter describes, so that everything runs before you have put your own in its place.
//   node stand-in.mjs -p "say hello" --output-format stream-json [--resume <session>]
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    prompt: { type: 'string', short: 'p', default: '' },
    'output-format': { type: 'string', default: 'text' },
    resume: { type: 'string' },
  },
});

const { prompt, resume: session_id = randomUUID() } = values;
const words = prompt.split(/\s+/).filter((word) => word !== '').length;
const answer = `You said: ${prompt}`;

/** One line is one event. */
function tell(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

if (values['output-format'] === 'text') {
  process.stdout.write(`${answer}\n`);
} else {
  const id = randomUUID();
  tell({ type: 'init', session_id });
  tell({ type: 'tool_use', id, name: 'count_words', input: { text: prompt } });
  tell({ type: 'tool_result', id, output: `${words} words`, is_error: false });
  tell({ type: 'text', text: answer });
  tell({ type: 'result', session_id, result: answer });
}
