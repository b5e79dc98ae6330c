import { expect, test } from 'vitest';
import { UndeclaredErrors } from './http/undeclared-errors.ts';
import { createLog } from './log.ts';

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';
const linesOf = (write: (log: ReturnType<typeof createLog>) => void): string => {
  const lines: string[] = [];
  write(createLog('debug', line => lines.push(line)));
  return lines.join('');
};

test.each<[string, (log: ReturnType<typeof createLog>) => void]>([
  ['a token in the message', log => log.warn(`refused ${token}`)],
  ['a token in a value', log => log.warn('refused', { url: `/x?y=${token}` })],
  ['a token deep inside', log => log.warn('refused', { request: { headers: [{ value: `Bearer ${token}` }] } })],
  ['a token in an error', log => log.error('failed', { error: new Error(`no ${token}`) })],
  ['a token in the cause of an error', log => log.error('failed', { error: new Error('no', { cause: new Error(token) }) })],
  ['an authorization header', log => log.warn('refused', { authorization: 'Basic planted-secret' })],
  ['a cookie', log => log.warn('refused', { cookie: 'op_session=planted-secret', 'set-cookie': 'op_session=planted-secret' })],
  ['a list of cookies', log => log.warn('refused', { 'set-cookie': ['op_session=planted-secret'] })],
  ['a password', log => log.warn('refused', { password: 'planted-secret', newPassword: 'planted-secret' })],
  ['a code', log => log.warn('refused', { code: 'planted-secret' })],
  ['a code in an address', log => log.warn('refused', { path: '/auth-callback?code=planted-secret&state=planted-secret' })],
  ['an id token hint in an address', log => log.warn('refused', { url: `/oidc/session/end?id_token_hint=planted-secret` })],
  ['the token of a mailed link in an address', log => log.warn('refused', { path: '/account/reset?token=planted-secret' })],
])('%s is not written', (_what, write) => {
  const written = linesOf(write);
  expect(written).toContain('"level"');
  expect(written).not.toContain('planted-secret');
  expect(written).not.toContain('eyJ');
});

test('an error keeps its name, message, code and stack', () => {
  const error = Object.assign(new TypeError('x is not y'), { code: 'ECONNREFUSED' });
  const line = JSON.parse(linesOf(log => log.error('failed', { error, n: 10n }))) as Record<string, unknown>;
  expect(line).toMatchObject({
    level: 'error',
    message: 'failed',
    n: '10',
    error: { name: 'TypeError', message: 'x is not y', errorCode: 'ECONNREFUSED' },
  });
  expect((line.error as { stack: string }).stack).toContain('log.test.ts');
});

test('the error that an endpoint answered without declaring it is named', () => {
  const line = linesOf(log => new UndeclaredErrors(log).note('notes.add', 'TOO_MANY_REQUESTS', 'abc'));
  expect(JSON.parse(line)).toMatchObject({ message: 'undeclared error', endpoint: 'notes.add', errorCode: 'TOO_MANY_REQUESTS' });
});

test('entries below the level are not written', () => {
  const lines: string[] = [];
  const log = createLog('warn', line => lines.push(line));
  log.info('x');
  log.debug('x');
  expect(lines).toEqual([]);
});
