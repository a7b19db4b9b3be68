import type { Part } from '../analysis.ts';
import type { CommandProfile, Findings, Look } from '../profile.ts';
import { scanArguments } from '../scan.ts';

/**
 * Programs that run others elsewhere, later, or under a setting of their own. Where their command starts is not always
 * plain, so every tail of the line is tried against ask and deny rules, and a rule has to write out what comes first.
 */
const CARRIERS =
  'ssh mosh docker podman nerdctl docker-compose kubectl oc helm vagrant heroku fly aws gcloud az systemd-run systemctl at batch crontab ' +
  'watch entr watchexec nodemon parallel strace ltrace valgrind perf script expect screen tmux flock chroot unshare nsenter su runuser pkexec ' +
  'proot firejail bwrap nix nix-shell nix-env devbox concurrently npm-run-all run-p run-s start-server-and-test cross-env dotenv dotenvx lerna ' +
  'nx rush tini dumb-init gosu setpriv capsh run-parts start-stop-daemon launchctl open xdg-open code cursor vim vi nvim ex ed emacs nano less ' +
  'more man view pico mutt git-shell ansible ansible-playbook terraform pulumi make-kpkg rpm dpkg apt apt-get yum dnf apk pacman snap flatpak ' +
  'mount umount insmod modprobe sysctl iptables useradd usermod passwd visudo reboot shutdown halt poweroff init service mkfs fdisk parted ' +
  'ldd ld.so busctl dbus-send gdbserver ruby-debug sqlmap scanimage logsave cpulimit hyperfine bats expect-lite rlwrap zsh-newuser-install';

const lookIntoCarrier: Look = ({ words }, context): Findings => {
  const first = words.slice(1).find((word) => word.value === undefined || !word.value.startsWith('-'));
  const scan = scanArguments({}, words);
  if (first === undefined) return { files: scan.files };
  if (first.value === undefined) return { opaque: 'takes what it runs from something unknown' };
  const parts: Part[] = [];
  for (let index = 1; index < Math.min(words.length, MAX_TAILS); index += 1) {
    const value = words[index]?.value;
    if (value !== undefined && /^[A-Za-z./]/.test(value))
      parts.push(...context.readTail(words.slice(index)), ...asScript(value, context));
  }
  return { files: scan.files, inner: { parts, needs: 'outer', program: [first] } };
};

/** `watch 'git status'` and `ssh host 'rm x'` hand one word to a shell. */
function asScript(value: string, context: Parameters<Look>[1]): readonly Part[] {
  return /\s/.test(value) ? context.readScript({ text: value, value, glob: [], splits: false }, 'sh') : [];
}

/** How many tails of a line are tried. */
const MAX_TAILS = 16;

export const CARRIER_PROFILES: Readonly<Record<string, CommandProfile>> = Object.fromEntries(
  CARRIERS.split(' ').map((name) => [name, { lookInstead: lookIntoCarrier }]),
);
