import { describe, expect, it } from 'vitest';
import { resolveWindowsCommand } from './windows-command.ts';

const env = { Path: 'C:\\Windows;C:\\Program Files\\nodejs', PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'C:\\cmd.exe' };
const files = ['C:\\Program Files\\nodejs\\npx.cmd', 'C:\\Program Files\\nodejs\\node.exe', 'C:\\Windows\\where.exe'];
const resolve = (command: string, args: readonly string[] = []) =>
  resolveWindowsCommand(command, args, {
    env,
    isFile: (path) => files.some((file) => file.toLowerCase() === path.toLowerCase()),
  });

describe('a command on Windows', () => {
  it('is started as it is when it is a program, or not to be found', () => {
    for (const command of ['node', 'where.exe', 'nowhere', 'C:\\nowhere']) {
      expect(resolve(command, ['a b'])).toEqual({ command, args: ['a b'], isVerbatim: false });
    }
  });

  it('is started by cmd.exe when it is a batch file', () => {
    expect(resolve('npx', ['-y', 'agent'])).toEqual({
      command: 'C:\\cmd.exe',
      args: ['/d', '/s', '/c', '"C:\\Program^ Files\\nodejs\\npx.CMD ^^^"-y^^^" ^^^"agent^^^""'],
      isVerbatim: true,
    });
  });

  it.each([
    ['a&calc', '^^^"a^^^&calc^^^"'],
    ['"&calc', '^^^"\\^^^"^^^&calc^^^"'],
    ['%PATH%', '^^^"^^^%PATH^^^%^^^"'],
    ['C:\\dir\\', '^^^"C:\\dir\\\\^^^"'],
  ])('passes %s on as one argument', (argument, escaped) => {
    expect(resolve('npx', [argument]).args[3]).toBe(`"C:\\Program^ Files\\nodejs\\npx.CMD ${escaped}"`);
  });
});
