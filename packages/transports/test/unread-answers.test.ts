import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { afterAll, beforeAll, expect, it } from 'vitest';

const REQUESTS = 10_000;
const CHARACTERS = 40_000;

interface Report {
  readonly answered: number;
  readonly maxRssMb: number;
}

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram(new URL('./fixtures/answering.ts', import.meta.url));
});
afterAll(() => program.remove());

/** The reports of a child until they tell the same so many times in a row. */
async function untilQuiet(reports: AsyncIterator<string>, times: number): Promise<Report> {
  let last: Report | undefined;
  for (let same = 0; same < times; ) {
    const report = JSON.parse((await reports.next()).value) as Report;
    same = report.answered > 0 && report.answered === last?.answered ? same + 1 : 0;
    last = report;
  }
  return last as Report;
}

function ask(child: ChildProcessWithoutNullStreams): void {
  for (let id = 0; id < REQUESTS; id += 1) {
    const request = { jsonrpc: '2.0', id, method: 'big', params: { characters: CHARACTERS } };
    child.stdin.write(`${JSON.stringify(request)}\n`);
  }
}

it('keeps few answers for a peer that reads nothing, and gives it all of them once it reads', async () => {
  const child = spawn(process.execPath, [program.path]);
  const reports = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  child.stdout.pause();
  ask(child);
  const stopped = await untilQuiet(reports, 20);
  // All of them would be 400 MB.
  expect(stopped.answered).toBeLessThan(REQUESTS / 2);
  expect(stopped.maxRssMb).toBeLessThan(250);

  const ids: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id: unknown; result: string };
    if (result.length === CHARACTERS) ids.push(id);
    if (ids.length === REQUESTS) child.stdin.end();
  }
  expect(ids).toEqual(Array.from({ length: REQUESTS }, (_, id) => id));
  if (child.exitCode === null) await once(child, 'exit');
}, 120_000);
