import type { Part } from '../analysis.ts';
import { danger, wholeDanger } from '../arguments/dangers.ts';
import { readInnerScript, readTail } from '../arguments/inner.ts';
import type { CommandProfile, Findings, Look } from '../arguments/profile.ts';
import { scanArguments } from '../arguments/scan.ts';
import { programName } from '../program-name.ts';
import type { ShellWord } from '../words/shell-word.ts';

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
  const name = programName(words[0]?.value ?? '');
  const { files } = scanArguments({}, words);
  const dangers = words
    .slice(1)
    .filter((word, index) => isDangerous(name, word, words.slice(1, index + 1)))
    .map((word) => danger('gives it more power or other settings', word));
  // `at`, `ed` and `ssh` run what they read.
  if (context.input.type === 'text') dangers.push(wholeDanger('may run what it reads'));
  if (first === undefined) return { files, dangers };
  if (first.value === undefined) return { opaque: 'takes what it runs from something unknown' };
  if (words.length > MAX_TAILS)
    return { opaque: `has more than ${MAX_TAILS} words, among which its command is to be found` };
  const parts: Part[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const value = words[index]?.value;
    if (value !== undefined && /^[A-Za-z./]/.test(value)) {
      parts.push(...readTail(context, words.slice(index)), ...asScript(value, context));
    }
  }
  return { files, dangers, inner: { parts, needs: 'outer', program: [first] } };
};

/** Options that run a program here, or open the machine to what runs elsewhere. */
const DANGEROUS_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['ssh', /^-[a-zA-Z46]*[oFJSIWwEDLR]/],
  ...['docker', 'podman', 'nerdctl'].map((name): [string, RegExp] => [
    name,
    /^(?:-v.*|-H.*|--(?:volume|mount|privileged|pid|ipc|uts|userns|network|net|cap-add|device|security-opt|entrypoint|host|config|context|env-file|group-add)(?:=.*)?)$/,
  ]),
  [
    'kubectl',
    /^(?:-s.*|--(?:kubeconfig|as|as-group|as-uid|server|token|context|cluster|user|profile|profile-output|cache-dir|insecure-skip-tls-verify|certificate-authority|client-key|client-certificate|username|password|tls-server-name|raw|filename|template)(?:=.*)?|-f.*)$/,
  ],
]);

/** `before` are the words up to this one: `docker compose` has other options by the same letters, before and behind its subcommand. */
function isDangerous(name: string, word: ShellWord, before: readonly ShellWord[]): boolean {
  const value = word.value ?? '';
  const operands = before.flatMap((each) => (each.value?.startsWith('-') ? [] : [each.value ?? '']));
  const isCompose = name === 'docker-compose' || operands[0] === 'compose';
  if (!isCompose) return DANGEROUS_OPTIONS.get(name)?.test(value) ?? false;
  const subcommand = operands[name === 'docker-compose' ? 0 : 1];
  if (subcommand === undefined) return COMPOSE_OPTION.test(value);
  return /^(?:run|exec|create)$/.test(subcommand) && COMPOSE_RUN_OPTION.test(value);
}

/** Another file, folder or machine is another set of powers. */
const COMPOSE_OPTION =
  /^(?:-f.*|-p.*|-H.*|-c.*|--(?:file|project-directory|env-file|profile|context|host|config)(?:=.*)?)$/;
const COMPOSE_RUN_OPTION = /^(?:-v.*|-u.*|--(?:privileged|volume|entrypoint|cap-add|user|env-from-file)(?:=.*)?)$/;

/** `watch 'git status'` and `ssh host 'rm x'` hand one word to a shell. */
function asScript(value: string, context: Parameters<Look>[1]): readonly Part[] {
  return /\s/.test(value) ? readInnerScript(context, { text: value, value, glob: [], splits: false }, 'sh', 'any') : [];
}

/** How many tails of a line are tried. */
const MAX_TAILS = 64;

export const CARRIER_PROFILES: Readonly<Record<string, CommandProfile>> = Object.fromEntries(
  CARRIERS.split(' ').map((name) => [name, { lookInstead: lookIntoCarrier }]),
);
