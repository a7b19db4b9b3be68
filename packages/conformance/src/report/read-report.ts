import { readFile } from 'node:fs/promises';
import { ConformanceError } from '../errors.ts';
import type { Report } from './report.ts';

/** Reads what an earlier run wrote with `--json`. */
export async function readReport(path: string): Promise<Report> {
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as Partial<Report> | null;
    if (value?.format === 'parley-check/1' && Array.isArray(value.results)) return value as Report;
  } catch (cause) {
    throw new ConformanceError('check_report', `Cannot read the earlier report ${path}: ${String(cause)}`, { cause });
  }
  throw new ConformanceError(
    'check_report',
    `${path} is not a report; make one with: parley check --json -- my-agent > ${path}`,
  );
}
