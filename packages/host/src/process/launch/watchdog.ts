import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Sees to it that a launch, its group and whoever left it, ends when this process ends, however it ends. The kernel does not do that, and after
 * `kill -9` we cannot, so one small shell per process waits on a pipe: its end is our end. Returns how to call it off.
 */
export function watchLaunch(groupId: number, launchId: string): () => void {
  if (process.platform === 'win32') return () => {};
  const entry = `${groupId}:${launchId}`;
  launches.add(entry);
  if (watchdog === undefined) startWatchdog();
  else tell(watchdog, `add ${entry}\n`);
  return () => {
    if (launches.delete(entry) && watchdog) tell(watchdog, `remove ${entry}\n`);
  };
}

/** Starts the watchdog ahead of the first group, so that the group is under watch the moment it exists. */
export function prepareWatchdog(): void {
  if (process.platform !== 'win32' && watchdog === undefined) startWatchdog();
}

const launches = new Set<string>();
let watchdog: ChildProcess | undefined;

function startWatchdog(): void {
  // In a session of its own: what kills our whole group must not kill it too.
  const child = spawn('/bin/sh', ['-c', WATCH], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    // Commands can read the environment of every process of the user.
    env: { PATH: process.env.PATH },
  });
  watchdog = child;
  const forget = () => {
    if (watchdog === child) watchdog = undefined;
  };
  child.once('exit', forget).once('error', forget);
  child.stdin?.on('error', forget);
  letExit(child);
  for (const entry of launches) tell(child, `add ${entry}\n`);
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
 * A shell rather than Node: 1 MB and 1 ms instead of 40. At the end of input the processes have had the same news as we,
 * since their stdin ends with us; what is left a second later is asked to end, and after two more seconds made to.
 */
const WATCH = `
trap '' HUP INT TERM
launches=' '
while read -r verb launch; do
  case $verb in
    add) launches="$launches$launch " ;;
    remove) case $launches in *" $launch "*) launches="\${launches%% "$launch" *} \${launches#* "$launch" }" ;; esac ;;
  esac
done
strays() {
  [ -e /proc/self/environ ] || return
  for launch in $launches; do grep -lsF -e "\${launch#*:}" /proc/[0-9]*/environ; done
}
left() {
  for launch in $launches; do kill -s 0 -- "-\${launch%%:*}" 2>/dev/null && return 0; done
  [ -n "$(strays)" ]
}
send() {
  for launch in $launches; do kill -s "$1" -- "-\${launch%%:*}" 2>/dev/null; done
  for file in $(strays); do file=\${file#/proc/}; kill -s "$1" "\${file%/environ}" 2>/dev/null; done
}
left || exit 0
sleep 1
left || exit 0
send TERM
sleep 1
left || exit 0
sleep 1
send KILL
send KILL
`;
