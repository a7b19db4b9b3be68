import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addSharedFlags, flagWords, type SharedFlags, sharedFlags } from './shared-flags.ts';

function parse(words: readonly string[]): SharedFlags {
  const program = new Command('parley').exitOverride();
  addSharedFlags(program);
  program.command('prompt').action(() => {});
  program.parse(['prompt', ...words], { from: 'user' });
  const [command] = program.commands;
  if (!command) throw new Error('The command is gone.');
  return sharedFlags(command);
}

describe('flags that are handed on to another process', () => {
  it('mean the same there', () => {
    const given = [
      ...['--model', 'large', '--mode', 'code', '--add-dir', 'a', '--add-dir', 'b', '--no-fs', '--no-terminal'],
      ...['--deny-all', '--allow', 'Bash(git *)', '--policy', '{}', '--non-interactive-permissions', 'fail'],
      ...['--system-prompt', '-x', '--allowed-tools', '', '--timeout', '5', '--trace', 't.ndjson'],
    ];
    const words = flagWords(parse(given));
    expect([...words].sort()).toEqual([...given].sort());
    expect(parse(words)).toEqual(parse(given));
  });

  it('are none where none was given, and all that are not about where we are and what we print', () => {
    expect(flagWords(parse([]))).toEqual([]);
    expect(flagWords(parse(['--terminal']))).toEqual(['--terminal']);
    const program = new Command();
    addSharedFlags(program);
    const values = Object.fromEntries(
      program.options.map((option) => [option.attributeName(), option.required ? 'x' : !option.negate]),
    );
    const passed = new Set(flagWords(values as SharedFlags));
    const left = program.options.map(({ long }) => long ?? '').filter((flag) => !passed.has(flag));
    expect(left.sort()).toEqual([
      ...['--agent', '--cwd', '--exit-codes', '--format', '--json-strict', '--no-color', '--permission-policy'],
      // `--no-terminal` has its place here.
      ...['--plain', '--suppress-reads', '--terminal', '--ttl', '--verbose'],
    ]);
  });
});
