import type { CliContext } from '../context.ts';
import type { OutputSettings } from '../run/output-settings.ts';
import type { RunOutput } from './run-output.ts';

/** The output for a format; only the code of that one is loaded. */
export async function createRunOutput(options: OutputSettings, context: CliContext): Promise<RunOutput> {
  switch (options.format) {
    case 'json':
      return (await import('./json-output.ts')).createJsonOutput(options, context);
    case 'quiet':
      return (await import('./quiet-output.ts')).createQuietOutput(context);
    case 'text':
      return (await import('./text-output.ts')).createTextOutput(options, context);
  }
}
