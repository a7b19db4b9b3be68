/**
 * What each shell runs when Tab is pressed: it hands the words so far to `parley __complete`, which prints one candidate
 * a line.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_parley() {
  local IFS=$'\\n'
  COMPREPLY=($(parley __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _parley parley
`,
  zsh: `_parley() {
  local -a candidates
  candidates=("\${(@f)$(parley __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -Q -- $candidates
  _files
}
compdef _parley parley
`,
  fish: `function __parley_complete
  set -l words (commandline -opc) (commandline -ct)
  parley __complete $words[2..-1] 2>/dev/null
end
complete -c parley -a '(__parley_complete)'
`,
};
