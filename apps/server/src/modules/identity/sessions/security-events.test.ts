import { allEndpoints } from '@portal/contract/api';
import fs from 'node:fs';
import path from 'node:path';
import { MINUTE_MS } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { testSecrets } from '../../../../test/context.ts';
import { type Database, sealActivities } from '../../../platform/database/index.ts';
import { createLog } from '../../../platform/log.ts';
import { watchRefusedBearers } from '../../../platform/http/refused-bearers.ts';
import { testRegistry } from '../../../../test/sign-in-registry.ts';
import { securityAlertActivities, reportSecurityEvents } from './security-events.ts';

const secret = 'correct-horse-battery';

/** Writes an activity line as the real code writes it. */
const happens = (db: Database, action: string, details: Record<string, unknown> = {}) =>
  db.change(
    {
      action,
      summary: 'Of the test',
      traceId: 'a'.repeat(32),
      login: { issuer: 'i', subject: 'login-bill' },
      sid: 'sid-1',
      address: '192.0.2.7',
    },
    change => change.note(details),
  );

async function hearing(db: Database) {
  const lines: string[] = [];
  const log = createLog('warn', line => lines.push(line));
  let reported = await reportSecurityEvents(db.read, log, null);
  return async (): Promise<Record<string, unknown>[]> => {
    lines.length = 0;
    await sealActivities(db, testSecrets);
    reported = await reportSecurityEvents(db.read, log, reported);
    return lines.map(line => JSON.parse(line) as Record<string, unknown>);
  };
}

describe('events that need attention', () => {
  test('is logged once, by a stable name, with person and address and no secrets', async () => {
    await using registry = await testRegistry();
    const heard = await hearing(registry.db);
    await heard();
    await happens(registry.db, 'identity.useRecoveryCode', { code: secret });
    await happens(registry.db, 'identity.signIn', { newDevice: true });
    await happens(registry.db, 'identity.signIn');
    await happens(registry.db, 'identity.people.savePreferences');
    const events = await heard();
    expect(events.map(({ event }) => event)).toEqual(['recovery-code-used', 'sign-in-from-new-place']);
    expect(events[0]).toEqual({
      time: expect.any(String),
      level: 'warn',
      message: 'security event',
      event: 'recovery-code-used',
      activity: expect.any(Number),
      at: expect.any(String),
      login: 'login-bill',
      session: 'sid-1',
      address: '192.0.2.7',
      traceId: 'a'.repeat(32),
    });
    expect(await heard()).toEqual([]);
  });

  test('is not logged again by a process that starts later', async () => {
    await using registry = await testRegistry();
    await happens(registry.db, 'identity.useRecoveryCode');
    await sealActivities(registry.db, testSecrets);
    expect(await (await hearing(registry.db))()).toEqual([]);
  });

  test('are logged for many failed sign-ins, not for a single typing mistake', async () => {
    await using registry = await testRegistry();
    const heard = await hearing(registry.db);
    await heard();
    for (let i = 0; i < 19; i++) await happens(registry.db, 'identity.signInFailed');
    expect(await heard()).toEqual([]);
    for (let i = 0; i < 20; i++) await happens(registry.db, 'identity.signInFailed');
    expect(await heard()).toEqual([expect.objectContaining({ message: 'security event', event: 'many-failed-sign-ins', count: 20 })]);
  });

  test('have names only for activities that exist', () => {
    const source = path.join(import.meta.dirname, '../../..');
    const text = fs
      .readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('security-events.ts'))
      .map(name => fs.readFileSync(path.join(source, name), 'utf8'))
      .join('\n');
    const calls = new Set(allEndpoints.map(({ id }) => id));
    for (const action of Object.keys(securityAlertActivities).filter(each => !calls.has(each))) {
      const written = action.startsWith('operator.') ? `activity('${action.slice('operator.'.length)}'` : `'${action}'`;
      expect(text, action).toContain(written);
    }
  });
});

test('thirty refused bearers from one address in a minute are logged once, and again the next minute', () => {
  const lines: string[] = [];
  let elapsed = 0;
  const refused = watchRefusedBearers(
    createLog('warn', line => lines.push(line)),
    () => elapsed,
  );
  for (let i = 0; i < 29; i++) refused('192.0.2.7', 'trace');
  for (let i = 0; i < 29; i++) refused('192.0.2.8', 'trace');
  expect(lines).toEqual([]);
  for (let i = 0; i < 50; i++) refused('192.0.2.7', 'trace');
  expect(lines.map(line => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 'warn', message: 'security event', event: 'many-refused-bearers', count: 30, address: '192.0.2.7' }),
  ]);
  elapsed = MINUTE_MS;
  for (let i = 0; i < 30; i++) refused('192.0.2.7', 'trace');
  expect(lines).toHaveLength(2);
});
