import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { needs, PROC } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { ownIdentity, stateOfProcess } from './process-identity.ts';

describe('the identity of a process', () => {
  it('tells that this process runs', () => {
    expect(stateOfProcess(ownIdentity())).toBe(process.platform === 'linux' ? 'running' : 'likely');
  });

  it('tells a process from an earlier one that had its number', needs(PROC), () => {
    expect(stateOfProcess({ ...ownIdentity(), startTicks: '1' })).toBe('ended');
  });

  it('is only likely to run when nothing tells since when', () => {
    expect(stateOfProcess({ ...ownIdentity(), startTicks: '' })).toBe('likely');
  });

  it('tells of a process that it has ended', async () => {
    const child = spawn('sleep', ['1000']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(stateOfProcess({ ...ownIdentity(), pid: child.pid ?? 0, startTicks: '' })).toBe('ended');
    expect(stateOfProcess({ ...ownIdentity(), pid: child.pid ?? 0 })).toBe('ended');
  });

  it('tells nothing of a process elsewhere', () => {
    expect(stateOfProcess({ ...ownIdentity(), place: 'another machine' })).toBe('unknown');
    expect(stateOfProcess({ ...ownIdentity(), place: '' })).toBe('unknown');
  });
});
