import { isRecord } from '@parley/jsonrpc/internal';
import { isChunk, updateVariant } from './describe-message.ts';
import type { MessageEntry } from './trace-entry.ts';

/** Folds chunks that follow one another: hundreds of them say one thing. */
export interface ChunkRuns<Run> {
  /** The run that this entry goes on with. Any other message of the same wire ends the run there. */
  take(entry: MessageEntry): Run | undefined;
  /** Begins a run with this entry; one that is no chunk begins none. */
  begin(entry: MessageEntry, run: Run): void;
  /** Ends all runs. */
  end(): void;
}

/** Runs of chunks of one kind, of one session, in one direction, on each wire of a trace by itself. */
export function createChunkRuns<Run>(): ChunkRuns<Run> {
  const runs = new Map<string, { readonly key: string; readonly run: Run }>();
  return {
    take(entry) {
      const open = runs.get(entry.connection ?? '');
      if (!open) return undefined;
      if (open.key === chunkKey(entry)) return open.run;
      runs.delete(entry.connection ?? '');
      return undefined;
    },
    begin(entry, run) {
      const key = chunkKey(entry);
      if (key !== undefined) runs.set(entry.connection ?? '', { key, run });
    },
    end() {
      runs.clear();
    },
  };
}

/** What chunks of one run have in common; undefined for a message that is no chunk. */
function chunkKey({ message, direction }: MessageEntry): string | undefined {
  const variant = updateVariant(message);
  if (!isChunk(variant) || !isRecord(message.params)) return undefined;
  return JSON.stringify([direction, variant, message.params.sessionId]);
}
