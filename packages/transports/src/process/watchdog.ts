import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Sees to it that a process group ends when this process ends, however it ends. The kernel does not do that, and after
 * `kill -9` we cannot, so one small shell per process waits on a pipe: its end is our end. Returns how to call it off.
 */
export function watchGroup(groupId: number): () => void {
  if (process.platform === 'win32') return () => {};
  groups.add(groupId);
  if (watchdog === undefined) startWatchdog();
  else tell(watchdog, `add ${groupId}\n`);
  return () => {
    if (groups.delete(groupId) && watchdog) tell(watchdog, `remove ${groupId}\n`);
  };
}

/** Starts the watchdog ahead of the first group, so that the group is under watch the moment it exists. */
export function prepareWatchdog(): void {
  if (process.platform !== 'win32' && watchdog === undefined) startWatchdog();
}

const groups = new Set<number>();
let watchdog: ChildProcess | undefined;

function startWatchdog(): void {
  // In a session of its own: what kills our whole group must not kill it too.
  const child = spawn('/bin/sh', ['-c', WATCH], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' });
  watchdog = child;
  const forget = () => {
    if (watchdog === child) watchdog = undefined;
  };
  child.once('exit', forget).once('error', forget);
  child.stdin?.on('error', forget);
  letExit(child);
  for (const groupId of groups) tell(child, `add ${groupId}\n`);
}

function tell(child: ChildProcess, line: string): void {
  child.stdin?.write(line);
}

/** Our own end must not wait for the watchdog, which waits for our end. */
function letExit(child: ChildProcess): void {
  child.unref();
  const { stdin } = child;
  if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
}

/**
 * A shell rather than Node: 1 MB and 1 ms instead of 40. At the end of input the groups have had the same news as we,
 * since their stdin ends with us; what is left a second later is asked to end, and after two more seconds made to.
 */
const WATCH = `
trap '' HUP INT TERM
groups=' '
while read -r verb group; do
  case $verb in
    add) groups="$groups$group " ;;
    remove) case $groups in *" $group "*) groups="\${groups%% "$group" *} \${groups#* "$group" }" ;; esac ;;
  esac
done
left() {
  for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && return 0; done
  return 1
}
send() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
}
left || exit 0
sleep 1
left || exit 0
send TERM
sleep 1
left || exit 0
sleep 1
send KILL
`;
