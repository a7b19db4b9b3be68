/**
 * Variables that change which program runs, what it loads, or where it looks for its settings. They are never set
 * without asking. Names are compared without case: zsh ties `path` to `PATH`.
 */
const HAZARDS = new Set(
  (
    'path ifs env bash_env shellopts bashopts ps0 ps1 ps2 ps4 prompt_command cdpath fpath manpath mailpath globignore home ' +
    'shell user logname pwd oldpwd editor visual pager manpager browser less lessopen lessclose more lessedit ' +
    'node_options node_path java_tool_options _java_options jdk_java_options classpath makeflags make mflags ' +
    'cc cxx ld ar cflags cxxflags ldflags rustc rustflags rustc_wrapper goflags gopath goroot goproxy gotoolchain goenv gobin gomodcache gocache gosumdb gonosumdb goprivate goinsecure ' +
    'hgrcpath hgeditor hgmerge gpg_agent_info ' +
    'docker_host kubeconfig ssh_askpass sudo_askpass ssh_auth_sock tar_options grep_options ripgrep_config_path ' +
    'http_proxy https_proxy all_proxy no_proxy ftp_proxy tmpdir gzip bzip zipopt unzip wgetrc curl_home netrc ' +
    'jest_config vimruntime viminit exinit fceditor histfile inputrc term terminfo terminfo_dirs termcap ' +
    'openssl_conf ssl_cert_file ssl_cert_dir deno_dir'
  ).split(' '),
);

/** Families of such variables. */
const HAZARD_PREFIXES = [
  'ld_',
  'dyld_',
  'git_',
  'bash_func',
  'npm_',
  'yarn_',
  'pnpm_',
  'bun_',
  'pip_',
  'uv_',
  'python',
  'perl',
  'ruby',
  'bundle_',
  'gem_',
  'cargo_',
  'rust',
  'java',
  'maven_',
  'gradle_',
  'xdg_',
  'aws_',
  'ssh_',
  'rsync_',
  'msbuild',
  'dotnet_',
  'coreclr_',
  'cor_',
  'php',
  'lua_',
  'electron_',
  'nix_',
  'svn_',
  'docker_',
  'podman_',
  'helm_',
  'tf_',
  'gtk_',
  'qt_',
];

/** What may be set for a single program without asking: settings that only change what it prints or how it behaves in tests. */
const HARMLESS = new Set(
  (
    'NODE_ENV CI DEBUG FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM LANG LANGUAGE TZ LOG_LEVEL LOGLEVEL VERBOSE ' +
    'PORT HOST RUST_LOG RUST_BACKTRACE CARGO_TERM_COLOR CARGO_INCREMENTAL PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE ' +
    'PYTHONHASHSEED PYTHONIOENCODING COLUMNS LINES TERM GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS NPM_CONFIG_LOGLEVEL ' +
    'VITEST VITEST_SEGFAULT_RETRY JEST_WORKERS UPDATE_SNAPSHOTS PWDEBUG CGO_ENABLED GOOS GOARCH RAILS_ENV RACK_ENV ' +
    'APP_ENV MIX_ENV HUSKY SKIP COVERAGE TEST BENCH DRY_RUN'
  ).split(' '),
);

/** Programs that only show text, as values of pager and editor variables. */
const QUIET_VALUES = new Set(['', 'cat', 'true', ':']);
const PAGERS_AND_EDITORS = new Set(['GIT_PAGER', 'PAGER', 'MANPAGER', 'GIT_EDITOR', 'EDITOR', 'GIT_SEQUENCE_EDITOR']);

/** Must never be set without asking, not even as a plain shell variable. */
export function isHazardousVariable(name: string): boolean {
  const folded = name.toLowerCase();
  return HAZARDS.has(folded) || HAZARD_PREFIXES.some((prefix) => folded.startsWith(prefix));
}

/** May be given to a program without the rule naming it. `value` is undefined when it is not known. */
export function isHarmlessSetting(name: string, value: string | undefined): boolean {
  if (PAGERS_AND_EDITORS.has(name)) return value !== undefined && QUIET_VALUES.has(value);
  return HARMLESS.has(name) || /^LC_[A-Z]+$/.test(name);
}
