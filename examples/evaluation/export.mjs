// Results for other tools: node export.mjs promptfoo|inspect|braintrust < results.jsonl
//   promptfoo: a list of tests whose outputs are given, one a line ("provider": "echo" prints them; assertions are yours)
//   inspect:   samples for the JSON dataset of Inspect, with the answer and its score in the metadata
//   braintrust: events of an experiment, for `experiment.log` or the `events` of its insert call
import { createInterface } from 'node:readline';

const FORMATS = {
  promptfoo: ({ id, input, output, hint, score }) => ({
    description: id,
    vars: { input: [input].flat().join('\n'), output, ...(hint !== undefined && { hint }) },
    ...(hint !== undefined && { assert: [{ type: 'icontains', value: hint }] }),
    metadata: { score },
  }),
  inspect: ({ id, input, output, hint, reference, score, metadata }) => ({
    id,
    input: Array.isArray(input) ? input.map((content) => ({ role: 'user', content })) : input,
    target: reference ?? hint ?? '',
    metadata: { ...metadata, output, score },
  }),
  braintrust: ({ id, input, output, hint, reference, score, metadata, errors }) => ({
    id,
    input,
    output,
    expected: reference ?? hint,
    ...(errors && { error: errors.join(' ') }),
    scores: score ? { pass: Number(score.pass), score: score.score } : {},
    metadata: { ...metadata, ...(score?.reasoning !== undefined && { reasoning: score.reasoning }) },
  }),
};

const format = FORMATS[process.argv[2]];
if (!format) {
  console.error(`usage: node export.mjs ${Object.keys(FORMATS).join('|')} < results.jsonl`);
  process.exit(2);
}
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') console.log(JSON.stringify(format(JSON.parse(line))));
}
