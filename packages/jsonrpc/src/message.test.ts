import { expect, it } from 'vitest';
import { isErrorResponse, isNotification, isRequest, isRequestId, isResponse, isSuccessResponse } from './index.ts';

const rpc = { jsonrpc: '2.0' };
const error = { code: -32603, message: 'Internal error' };

const GUARDS = { isRequest, isNotification, isSuccessResponse, isErrorResponse, isResponse };

const CASES: readonly { readonly value: unknown; readonly is: readonly (keyof typeof GUARDS)[] }[] = [
  { value: { ...rpc, id: 1, method: 'm' }, is: ['isRequest'] },
  { value: { ...rpc, id: null, method: 'm', params: [] }, is: ['isRequest'] },
  { value: { ...rpc, method: 'm', params: {} }, is: ['isNotification'] },
  { value: { ...rpc, id: 'a', result: null }, is: ['isSuccessResponse', 'isResponse'] },
  { value: { ...rpc, id: null, error }, is: ['isErrorResponse', 'isResponse'] },
  { value: { ...rpc, id: 1, result: 1, error }, is: [] },
  { value: { ...rpc, id: 1 }, is: [] },
  { value: { ...rpc, id: 1, error: { code: 'x', message: '' } }, is: [] },
  { value: { ...rpc, id: {}, method: 'm' }, is: [] },
  { value: { ...rpc, id: 1, method: 'm', params: 'text' }, is: [] },
  { value: { ...rpc, method: 5 }, is: [] },
  { value: { id: 1, method: 'm' }, is: [] },
  { value: { jsonrpc: '1.0', id: 1, result: 1 }, is: [] },
  ...[null, undefined, 5, 'text', [], [{ ...rpc, id: 1, method: 'm' }]].map((value) => ({ value, is: [] })),
];

it.each(CASES)('knows what $value is', ({ value, is }) => {
  const names = Object.entries(GUARDS).flatMap(([name, guard]) => (guard(value) ? [name] : []));
  expect(names.sort()).toEqual([...is].sort());
});

it('takes strings, numbers and null for ids, and fewer where ids are strict', () => {
  expect(['a', 1, 1.5, null, undefined, {}, true].map((id) => isRequestId(id))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(['a', 1, 1.5, null].map((id) => isRequestId(id, true))).toEqual([true, true, false, false]);
});
