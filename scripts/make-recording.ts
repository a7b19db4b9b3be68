// Makes a recording for tests from a trace of a real agent (`interop.ts --trace`): who said what, without times and machine
// paths, and shortened where an agent says the same at length.
//   npx tsx --conditions=source scripts/make-recording.ts <trace.ndjson> <recording.jsonl>
import { readFileSync, writeFileSync } from 'node:fs';

/** More entries of a list than these show nothing new. */
const MAX_ENTRIES = 3;
const MAX_TEXT = 300;

const [tracePath, recordingPath] = process.argv.slice(2);
if (!tracePath || !recordingPath) {
  console.error('Usage: make-recording.ts <trace.ndjson> <recording.jsonl>');
  process.exit(2);
}

const lines = readFileSync(tracePath, 'utf8').trim().split('\n');
const recorded = lines.map((line) => {
  const { direction, message } = JSON.parse(line) as { direction: 'in' | 'out'; message: unknown };
  return JSON.stringify({ from: direction === 'in' ? 'agent' : 'client', message: shorten(message) });
});
const text = `${recorded.join('\n')}\n`
  .replaceAll(/[^"\s:=']*\/parley-interop\/[^/"]+\/workspace/g, '/workspace')
  .replaceAll(/\/[^"\s]*\/node_modules\//g, '/node_modules/');
writeFileSync(recordingPath, text);
const left = new Set(text.match(/\/(?:root|home|Users|tmp)\/[^"\s]*/g));
if (left.size > 0) console.error(`Machine paths are left: ${[...left].join(', ')}`);
console.log(`${recordingPath}: ${recorded.length} messages, ${text.length} characters`);

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}...` : value;
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isWhole(name) ? each : shorten(each)]));
}

/** Lists of which a later message names an entry. */
function isWhole(name: string): boolean {
  return name === 'options' || name === 'availableModes' || name === 'configOptions';
}
