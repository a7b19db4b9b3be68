import { createLaunch } from './launch/launch-id.ts';
import { defaultRecordsDir, saveRecord } from './launch/process-records.ts';
import { prepareWatchdog, watchLaunch } from './launch/watchdog.ts';
import { receiveServer, type ServeReceived } from './receive-server.ts';
import { SpawnedProcess } from './spawned-process.ts';
import { startChild } from './start-child.ts';
import { readStartTime } from './start-time.ts';

export interface SpawnChildOptions {
  /** Run as it is, without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Default: this process's. */
  readonly cwd?: string;
  /** The whole environment, to which only `PARLEY_LAUNCH_ID` is added. Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Variables that the process reads from a pipe instead of its environment; only our own programs do (`takeEnvironment`). */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Serves on the server that the process passes on to us by Node's channel; ends with the process. Default: there is no channel. */
  readonly serveReceived?: ServeReceived;
  /** How long the process may take to end after its stdin has ended, before SIGTERM. Default: 1.5 s. */
  readonly eofGraceMs?: number;
  /** How long its group may take after SIGTERM, before SIGKILL. Default: 1.5 s. */
  readonly termGraceMs?: number;
  /** Receives what the process writes to stderr. */
  readonly onStderr?: (text: string) => void;
  /** How much of stderr is kept for error messages. Default: 16 Ki characters. */
  readonly stderrTailCharacters?: number;
  /** Where the process is recorded for `reapStrays`; false for nowhere. Default: `$XDG_STATE_HOME/parley/processes`. */
  readonly recordsDir?: string | false;
  /** Tells when a process was started. Default: asks the system. */
  readonly readStartTime?: (pid: number) => Promise<string | undefined>;
}

/**
 * Starts a command in a process group of its own. Throws `SpawnError` if it cannot be started. Neither stopping it, nor a
 * crash on either side, nor `kill -9` of this process leaves a process behind, unless it has left its group and has an
 * environment of its own making. Listen to its stdout at once: what it writes before is lost when it exits.
 */
export async function spawnChild(options: SpawnChildOptions): Promise<SpawnedProcess> {
  const { command, args = [], eofGraceMs = 1500, termGraceMs = 1500, stderrTailCharacters = 16 * 1024 } = options;
  const launch = createLaunch();
  prepareWatchdog();
  const env = { ...(options.env ?? process.env), ...launch.env };
  const { serveReceived } = options;
  const { child, pid } = await startChild({ ...options, env, stdin: 'pipe', hasChannel: serveReceived !== undefined });
  const serving = serveReceived && receiveServer(child, serveReceived);

  const unwatch = watchLaunch(pid, launch.id);
  const recording = record(options, pid, launch.id);
  return new SpawnedProcess(child, pid, {
    command: [command, ...args].join(' ').slice(0, MAX_NAMED_CHARACTERS),
    stderrTailCharacters,
    onStderr: options.onStderr,
    launch,
    eofGraceMs,
    termGraceMs,
    recorded: recording.then(() => {}),
    async onGone() {
      unwatch();
      serving?.[Symbol.dispose]();
      const removeRecord = await recording;
      await removeRecord();
    },
  });
}

/** How much of a command line is repeated in messages. */
const MAX_NAMED_CHARACTERS = 200;

/** Records the process, and returns how to undo it. Records are a second line of defence: without a disk we go on. */
async function record(options: SpawnChildOptions, pid: number, launchId: string): Promise<() => Promise<void>> {
  const { command, readStartTime: startTimeOf = readStartTime } = options;
  const nothing = async () => {};
  const recordsDir = options.recordsDir ?? findRecordsDir();
  if (recordsDir === false) return nothing;
  const [startTime, ownStartTime] = await Promise.all([startTimeOf(pid), startTimeOf(process.pid)]);
  if (startTime === undefined || ownStartTime === undefined) return nothing;
  const owner = { pid: process.pid, startTime: ownStartTime };
  return saveRecord(recordsDir, { pid, startTime, launchId, command, owner }).catch(() => nothing);
}

function findRecordsDir(): string | false {
  try {
    return defaultRecordsDir();
  } catch {
    return false;
  }
}
