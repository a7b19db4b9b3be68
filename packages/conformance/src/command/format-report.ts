import { extname } from 'node:path';
import { ConformanceError } from '../errors.ts';
import { formatHtml } from '../report/format-html.ts';
import { formatJUnit } from '../report/format-junit.ts';
import { formatMarkdown } from '../report/format-markdown.ts';
import { formatTerminal, type TerminalOptions } from '../report/format-terminal.ts';
import type { Report } from '../report/report.ts';
import type { ReportFormat } from './parse-command-line.ts';

export function formatReport(report: Report, format: ReportFormat, options: TerminalOptions = {}): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'junit':
      return formatJUnit(report);
    case 'markdown':
      return formatMarkdown(report);
    case 'html':
      return formatHtml(report);
    case 'terminal':
      return formatTerminal(report, options);
  }
}

const FORMAT_OF_ENDING: Readonly<Record<string, ReportFormat>> = {
  '.json': 'json',
  '.xml': 'junit',
  '.md': 'markdown',
  '.html': 'html',
  '.txt': 'terminal',
};

export function formatOfFile(path: string): ReportFormat {
  const format = FORMAT_OF_ENDING[extname(path).toLowerCase()];
  if (format) return format;
  const endings = Object.keys(FORMAT_OF_ENDING).join(', ');
  throw new ConformanceError(
    'check_usage',
    `--report cannot tell the format of "${path}" by its ending; use ${endings}.`,
  );
}
