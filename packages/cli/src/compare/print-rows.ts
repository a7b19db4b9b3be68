import type { ExitName } from '@parley/host/command-line';
import { formatTable } from '@parley/terminal';
import type { Format } from '../config/config.ts';
import type { CliContext } from '../context.ts';
import type { CompareRow } from './compare-row.ts';

/** The rows as `--format` wants them: a table, one JSON list, or a name and a status a line. */
export function printRows(rows: readonly CompareRow[], format: Format, { stdout }: CliContext): void {
  if (format === 'json') return void stdout.write(`${JSON.stringify(rows)}\n`);
  if (format === 'quiet') return void stdout.write(rows.map(({ agent, status }) => `${agent}\t${status}\n`).join(''));
  const hasDiffs = rows.some(({ diff }) => diff);
  const header = ['agent', 'status', 'wall_ms', 'tokens', 'denied/asked', 'stop_reason'];
  stdout.write(
    formatTable([
      [...header, ...(hasDiffs ? ['changes'] : []), 'final_message'],
      ...rows.map((row) => [...cellsOf(row), ...(hasDiffs ? [describeDiff(row)] : []), row.error ?? row.final_message]),
    ]),
  );
  for (const { agent, diff } of rows) if (diff?.patch) stdout.write(`changes of ${agent}: git apply ${diff.patch}\n`);
}

/** What the worst row means for the exit code, as acpx has it: a failure, then a denial, then a turn that did not end. */
export function exitOfRows(rows: readonly CompareRow[]): ExitName {
  const has = (status: CompareRow['status']): boolean => rows.some((row) => row.status === status);
  if (has('error')) return 'failed';
  if (has('permission_denied')) return 'denied';
  return has('cancelled') ? 'timeout' : 'ok';
}

function cellsOf(row: CompareRow): readonly string[] {
  const { agent, status, wall_ms, input_tokens, output_tokens, total_tokens } = row;
  return [
    agent.length > MAX_NAME_CHARACTERS ? `${agent.slice(0, MAX_NAME_CHARACTERS - 3)}...` : agent,
    status,
    String(wall_ms),
    total_tokens === null ? '-' : `${total_tokens} (${input_tokens} in, ${output_tokens} out)`,
    `${row.permission_denied}/${row.permission_requests}`,
    row.stop_reason ?? '-',
  ];
}

const MAX_NAME_CHARACTERS = 32;

function describeDiff({ diff }: CompareRow): string {
  if (!diff) return '-';
  const { files, insertions, deletions } = diff;
  return files === 0 ? 'none' : `${files} ${files === 1 ? 'file' : 'files'} +${insertions} -${deletions}`;
}
