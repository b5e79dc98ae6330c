import { HOUR_MS } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { kinds, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { MAX_WRONG_CODES } from '../attempts/code-failures.ts';
import { areRecoveryCodes, newRecoveryCodes, recoveryCodesLeft, consumeRecoveryCode } from './recovery-codes.ts';
import { listHistory } from '../sign-in/sign-in-history.ts';

const corin = 'login-corin';
const origin = {
  traceId: 'c'.repeat(32),
  address: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
};
const line = { action: 'test.recoveryCodes', summary: 'Made recovery codes', ...origin };

const codesFor = (registry: TestRegistry, loginId = corin): Promise<string[]> =>
  registry.db.change(line, change => newRecoveryCodes(change, loginId));
const enter = (registry: TestRegistry, code: string, loginId = corin): Promise<boolean> =>
  consumeRecoveryCode(
    registry.db,
    registry.config,
    { ...origin, login: { issuer: registry.config.issuerUri, subject: loginId } },
    loginId,
    code,
  );
const left = (registry: TestRegistry): Promise<number> => recoveryCodesLeft(registry.db.read, corin);

describe('recovery codes', () => {
  test('are ten, each of 120 bits in groups of four without look-alikes, and kept as digests only', async () => {
    await using registry = await testRegistry();
    const codes = await codesFor(registry);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/);
    const rows = await registry.db.read.selectFrom('loginRecoveryCode').selectAll().execute();
    const kept = JSON.stringify(rows.map(row => ({ ...row, digest: row.digest.toString('utf8') })));
    for (const code of codes) {
      expect(kept).not.toContain(code);
      expect(kept).not.toContain(code.replaceAll('-', ''));
    }
    expect(rows.map(({ digest }) => digest.length)).toEqual(Array(10).fill(32));
  });

  test('work with capitals, spaces and dashes, and with letters that look like the digits', async () => {
    await using registry = await testRegistry();
    const [first, second, third, fourth] = await codesFor(registry);
    expect(await enter(registry, `  ${first!.toUpperCase()} `)).toBe(true);
    expect(await enter(registry, second!.replaceAll('-', ' '))).toBe(true);
    expect(await enter(registry, third!.replaceAll('-', ''))).toBe(true);
    expect(await enter(registry, fourth!.replaceAll('0', 'O').replaceAll('1', 'l').replaceAll('-', '–'))).toBe(true);
    expect(await left(registry)).toBe(6);
  });

  test('work once, only for their owner, and not after new ones were made', async () => {
    await using registry = await testRegistry();
    const [first, second] = await codesFor(registry);
    expect(await enter(registry, first!, 'login-stella')).toBe(false);
    expect(await enter(registry, first!)).toBe(true);
    expect(await enter(registry, first!)).toBe(false);
    expect(await areRecoveryCodes(registry.db.read, corin, [first!, second!])).toBe(false);
    expect(await areRecoveryCodes(registry.db.read, corin, [second!])).toBe(true);
    const [third] = await codesFor(registry);
    expect(await left(registry)).toBe(10);
    expect(await enter(registry, second!)).toBe(false);
    expect(await enter(registry, third!)).toBe(true);
  });

  test.each(['', ' ', '-', '0', 'x'.repeat(24), '%', '\0', 'ÿ'.repeat(1000)])('%j is none', async typed => {
    await using registry = await testRegistry();
    await codesFor(registry);
    expect(await enter(registry, typed)).toBe(false);
    expect(await left(registry)).toBe(10);
  });

  test('using one is logged and mailed, and the login waits a day before it can change the registry', async () => {
    await using registry = await testRegistry();
    const [first] = await codesFor(registry);
    expect(await enter(registry, first!)).toBe(true);
    const whose = { issuer: registry.config.issuerUri, loginId: corin };
    const [used] = (await listHistory(registry.db.read, whose, { before: null, most: 1 })).lines;
    expect(used).toMatchObject({ action: 'identity.useRecoveryCode', userAgent: expect.stringContaining('Firefox') });
    const mail = await registry.db.read.selectFrom('mail').select(['recipient', 'subject', 'body']).execute();
    expect(mail).toMatchObject([{ recipient: 'corin@example-au.example', subject: 'A recovery code was used' }]);
    expect(mail[0]!.body).toContain('9 are left');
    expect(mail[0]!.body).toContain('Firefox on Linux');
    expect(mail[0]!.body).not.toContain(first);
    const { coolDownUntil } = await registry.db.read
      .selectFrom('login')
      .select('coolDownUntil')
      .where('loginId', '=', corin)
      .executeTakeFirstOrThrow();
    const hours = (new Date(coolDownUntil!).getTime() - Date.now()) / HOUR_MS;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test.each(kinds)('one code sent twenty times concurrently opens one session, with one line and one mail (%s)', async kind => {
    await using registry = await testRegistry(kind);
    const [first] = await codesFor(registry);
    const used = await Promise.all(Array.from({ length: 20 }, () => enter(registry, first!)));
    expect(used.filter(Boolean)).toHaveLength(1);
    expect((await registry.actions()).filter(action => action === 'identity.useRecoveryCode')).toHaveLength(1);
    expect(await registry.db.read.selectFrom('mail').select('subject').execute()).toHaveLength(1);
    expect(await left(registry)).toBe(9);
  });

  test('a hundred wrong ones in a row disable them until new ones are made; a right one resets the count', async () => {
    await using registry = await testRegistry();
    const [first, second] = await codesFor(registry);
    const wrong = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) expect(await enter(registry, `wrong ${i}`)).toBe(false);
    };
    await wrong(MAX_WRONG_CODES - 1);
    expect(await enter(registry, first!)).toBe(true);
    await wrong(MAX_WRONG_CODES - 1);
    expect(await left(registry)).toBe(9);
    await wrong(1);
    expect(await left(registry)).toBe(0);
    expect(await enter(registry, second!)).toBe(false);
    expect((await registry.actions()).filter(action => action === 'identity.switchCodesOff')).toHaveLength(1);
    const subjects = (await registry.db.read.selectFrom('mail').select('subject').execute()).map(({ subject }) => subject);
    expect(subjects).toContain('Your recovery codes were switched off');
    const [third] = await codesFor(registry);
    expect(await enter(registry, third!)).toBe(true);
  });
});
