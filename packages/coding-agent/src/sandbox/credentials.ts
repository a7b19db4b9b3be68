import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { configHome, findHome, stateHome } from '@parley/host/places';

/** Below the home folder: keys, logins of clouds, registries, browsers and agents. */
const IN_HOME = [
  ...['.ssh', '.gnupg', '.pki', '.password-store', '.netrc', '.git-credentials', '.pgpass', '.my.cnf', '.vault-token'],
  ...['.aws', '.azure', '.kube', '.docker', '.oci', '.boto', '.s3cfg', '.terraform.d', '.fly', '.databrickscfg'],
  ...['.npmrc', '.yarnrc.yml', '.pypirc', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials'],
  ...['.m2/settings.xml', '.gradle/gradle.properties', '.bundle/config', '.nuget/NuGet'],
  ...[
    '.claude',
    '.claude.json',
    '.codex',
    '.gemini',
    '.qwen',
    '.kimi',
    '.copilot',
    '.cursor',
    '.continue',
    '.aider.conf.yml',
  ],
  ...['.local/share/opencode', '.local/share/amp', '.local/share/goose', '.local/share/crush', '.local/share/parley'],
  ...['.mozilla', '.thunderbird', '.local/share/keyrings', '.local/share/kwalletd', '.electrum', '.bitcoin'],
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history'],
  ...['snap/firefox', 'snap/chromium', '.var/app/org.mozilla.firefox', '.var/app/com.google.Chrome'],
  ...['Library/Keychains', 'Library/Cookies', 'Library/Application Support/Google/Chrome'],
  ...['Library/Application Support/Firefox', 'Library/Safari'],
] as const;
/** Below `~/.config`. */
const IN_CONFIG = [
  ...[
    'parley',
    'gh',
    'hub',
    'glab-cli',
    'gcloud',
    'doctl',
    'hcloud',
    'heroku',
    'op',
    'rclone',
    'sops',
    'age',
    'git/credentials',
  ],
  ...['google-chrome', 'chromium', 'BraveSoftware', 'microsoft-edge', 'vivaldi', 'opera', 'containers/auth.json'],
  ...['github-copilot', 'goose', 'opencode', 'amp', 'crush', 'configstore', 'pypoetry/auth.toml'],
] as const;
/** Readable by root, who has no other right inside. */
const OF_SYSTEM = [
  ...[
    '/etc/shadow',
    '/etc/shadow-',
    '/etc/gshadow',
    '/etc/gshadow-',
    '/etc/sudoers',
    '/etc/sudoers.d',
    '/etc/ssl/private',
  ],
  ...['/etc/ssh', '/etc/kubernetes', '/etc/rancher', '/etc/wireguard', '/etc/NetworkManager/system-connections'],
  ...['/var/lib/kubelet', '/var/lib/docker', '/var/lib/containerd', '/var/spool/cron', '/var/lib/NetworkManager'],
] as const;

/** A credential that is on this machine. */
export interface Credential {
  /** Without links. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface CredentialOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The places where this machine keeps credentials, of those that exist now. */
export function findCredentials({ env = process.env }: CredentialOptions = {}): readonly Credential[] {
  const home = findHome(env);
  const paths = new Set<string>(OF_SYSTEM);
  if (home !== undefined) {
    for (const name of IN_HOME) paths.add(join(home, name));
    for (const config of [configHome(env), join(home, '.config')])
      for (const name of IN_CONFIG) paths.add(join(config, name));
    paths.add(join(stateHome(env), 'parley'));
  }
  if (env.PARLEY_CONFIG) {
    paths.add(env.PARLEY_CONFIG);
    paths.add(join(env.PARLEY_CONFIG, '..', 'keys.json'));
  }
  return [...paths].flatMap((path) => readCredential(path) ?? []);
}

function readCredential(path: string): Credential | undefined {
  try {
    let found: Stats | undefined = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    // A folder above may be a link too.
    const real = realpathSync(path);
    if (found.isSymbolicLink()) found = lstatSync(real);
    return { path: real, isFolder: found.isDirectory() };
  } catch {
    // Out of our reach, so out of the reach of commands as well.
    return undefined;
  }
}
