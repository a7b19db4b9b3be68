import type { CliContext } from '../context.ts';
import { createJsonOutput } from './json-output.ts';
import type { OutputSettings } from './output-settings.ts';
import { createQuietOutput } from './quiet-output.ts';
import type { RunOutput } from './run-output.ts';
import { createTextOutput } from './text-output.ts';

/** The output for a format. */
export function createRunOutput(options: OutputSettings, context: CliContext): RunOutput {
  switch (options.format) {
    case 'json':
      return createJsonOutput(options, context);
    case 'quiet':
      return createQuietOutput(context);
    case 'text':
      return createTextOutput(options, context);
  }
}
