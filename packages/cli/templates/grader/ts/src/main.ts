#!/usr/bin/env node
// my-grader: reads one JSON object on stdin, writes one on stdout. A harness may also import `grade` from here.
import { realpathSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type GraderParams, grade } from './grade.ts';

export { grade };

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const result = await grade(parseParams(await text(process.stdin)));
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } catch (error) {
    console.error(`my-grader: this cannot be graded: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

function parseParams(json: string): GraderParams {
  const value = JSON.parse(json) as Partial<GraderParams> | null;
  if (typeof value?.output !== 'string') throw new Error('an object with the text "output" is wanted');
  return value as GraderParams;
}
