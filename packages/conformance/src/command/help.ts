import type { CheckFacts } from '../check.ts';

export function helpText(command: string): string {
  return `Checks an ACP agent, or a client, against the specification.

  ${command} [options] -- <agent command>
  ${command} --client [options] -- <client command with {agent} in it>

What is checked
  --only <names>                  ids, fronts of ids, groups or levels:
                                  PROMPT-07,FRAME,cancellation
  --protocol <1|2|auto>           the version to check (1); auto is the highest
                                  that an agent speaks
  --list                          show all checks and stop
  --repeat <n>                    run all n times; what differs is flaky
  --timeout <seconds>             longest wait for one answer (60)

How behaviour is provoked
  --prompt <text>                 any short question
  --prompt-for-tool-call <text>   something that makes the agent use a tool
  --prompt-for-permission <text>  something that it asks permission for
  --prompt-for-terminal <text>    something that it runs in a terminal
  --prompt-for-long-turn <text>   something long enough to be cancelled
  --prompt-for-elicitation <text> something that it asks the person about
  --auth-method <id>              authenticate with this method first
  --allow-logout                  also try logout, which really logs you out

Clients
  {agent} in the command is replaced by the path of an agent to start; it is
  also in $PARLEY_CHECK_AGENT
  --input <text>                  what the client gets on its stdin

Reports
  --format <format>               on stdout: terminal, json, junit, markdown or
                                  html; --json is short for --format json
  --report <file>                 also write .json, .xml, .md or .html (repeat)
  --compare <file.json>           what fails anew and what is fixed since then
  --verbose, --no-color

Exit code: 0 all is well, 1 a MUST is broken, 2 wrong usage, 6 it could not be
started, 7 it needs authentication, 130 stopped.
`;
}

export function listText(checks: readonly CheckFacts[]): string {
  return checks
    .map(({ id, level, group, says }) => `${id.padEnd(12)}${level.padEnd(8)}${group.padEnd(18)}${says}\n`)
    .join('');
}
