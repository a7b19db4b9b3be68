import { execFile } from 'node:child_process';
import { findProgram } from '@parley/host/programs';

/** What one document may weigh; requests with more are refused, and each one has it again. */
export const MAX_DOCUMENT_BYTES: number = 8 * 1024 * 1024;
/** The least that a provider takes of one document. */
export const MAX_DOCUMENT_PAGES = 100;

const TEXT_TIMEOUT_MS = 30_000;
const MAX_TEXT_BYTES = 20 * 1024 * 1024;

export const PDF_TYPE = 'application/pdf';

/** What is wanted where a PDF cannot be shown and cannot be read as text. */
export const GET_PDFTOTEXT = 'Its text can be read once the program pdftotext (of poppler-utils) is installed';

export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-');
}

/** How many pages a PDF says that it has; 0 where that is hidden in compressed parts of it. */
export function countPages(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const pages = text.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  const counts = [...text.matchAll(/\/Count\s+(\d{1,6})\b/g)].map(([, count]) => Number(count));
  return Math.max(pages, ...counts, 0);
}

/** Why a PDF cannot be sent as it is; undefined when it can. */
export function documentFault(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    const most = MAX_DOCUMENT_BYTES / 1024 / 1024;
    return `it takes ${(bytes.length / 1024 / 1024).toFixed(1)} MB, and ${most} MB is the most that can be sent`;
  }
  const pages = countPages(bytes);
  if (pages > MAX_DOCUMENT_PAGES)
    return `it has ${pages} pages, and ${MAX_DOCUMENT_PAGES} are the most that can be sent`;
  return isPdf(bytes) ? undefined : 'it is no PDF';
}

/** The text of a PDF, by the program `pdftotext`; undefined where there is none, or it cannot read it. */
export async function pdfText(bytes: Uint8Array): Promise<string | undefined> {
  const program = findProgram('pdftotext', { env: process.env, cwd: process.cwd() });
  if (program === undefined) return undefined;
  return await new Promise((resolve) => {
    const child = execFile(
      program,
      ['-layout', '-enc', 'UTF-8', '-', '-'],
      { timeout: TEXT_TIMEOUT_MS, maxBuffer: MAX_TEXT_BYTES, encoding: 'utf8' },
      (error, stdout) => resolve(error || stdout.trim() === '' ? undefined : stdout.replaceAll('\f', '\n')),
    );
    // It may not read all that it gets.
    child.stdin?.on('error', () => {});
    child.stdin?.end(bytes);
  });
}
