import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testContext } from '../../test/context.ts';
import { testRegistry } from '../../test/sign-in-registry.ts';
import { authenticatorSecrets } from '../modules/identity/factors/authenticators.ts';
import { signingKeys } from '../modules/identity/sessions/signing-keys.ts';
import { bodyOf, sendMail } from '../modules/mail/mail.ts';
import { nrtmKeys } from '../modules/mirrors/nrtm-keys.ts';
import { sealedKeyName } from '../modules/rpki/authorities/cryptography.ts';
import { publishAll } from '../modules/rpki/index.ts';
import { keysOf } from '../modules/rpki/authorities/keys.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import { resealSecrets } from './resealed-secrets.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const next = 'the-secret-key-after-of-32-characters-';

test('a secret in any table opens with the new key alone after resealing, and is not sealed twice', async () => {
  await using registry = await testRegistry();
  const { db, config } = registry;
  const before = openSecretBox(config);
  const { current } = await nrtmKeys(db, before);
  // The trust anchor and the registry's own authority.
  await publishAll(testContext(registry));
  const message = {
    topic: 'login.links',
    recipient: 'a@b.example',
    subject: 'Test',
    body: '{link}',
    link: 'https://secret.example/',
  } as const;
  await db.change(line, change => sendMail(change, message, before));

  const both = openSecretBox({ secretKey: next, secretKeyOld: config.secretKey });
  expect(await resealSecrets(db, both, line)).toEqual({
    'signing keys': 2,
    'authenticator apps': 2,
    'mirror keys': 1,
    'RPKI keys': 2,
    'webhook secrets': 0,
    'links in e-mails': 1,
  });
  expect(Object.values(await resealSecrets(db, both, line))).toEqual([0, 0, 0, 0, 0, 0]);

  const after = openSecretBox({ secretKey: next, secretKeyOld: '' });
  expect((await nrtmKeys(db, after)).current).toEqual(current);
  for (const { keyIdentifier, sealedPrivate } of await keysOf(db.read, [1, 2]))
    expect(after.open(sealedKeyName(keyIdentifier), sealedPrivate).length).toBeGreaterThan(1_000);
  const mail = await db.read.selectFrom('mail').select(['recipient', 'body', 'sealedLink']).executeTakeFirstOrThrow();
  expect(bodyOf(after, mail)).toBe(message.link);
  expect((await signingKeys(db.read, after)).every(({ privateJwk }) => typeof privateJwk.d === 'string')).toBe(true);
  for (const person of ['login-corin', 'login-stella'])
    expect((await authenticatorSecrets(db.read, after, person))[0]!.secret).toHaveLength(20);
});

test('a secret that opens with neither key stops it, and nothing is changed', async () => {
  await using registry = await testRegistry();
  const sealedOnes = () => registry.db.read.selectFrom('loginTotp').select('sealedSecret').orderBy('totpId').execute();
  const before = await sealedOnes();
  const wrong = openSecretBox({ secretKey: next, secretKeyOld: 'another-key-that-never-sealed-anything' });
  await expect(resealSecrets(registry.db, wrong, line)).rejects.toThrow('set SECRET_KEY_OLD to the one before');
  expect(await sealedOnes()).toEqual(before);
});

test('every column that holds something sealed is among them', async () => {
  await using registry = await testRegistry();
  const columns = await registry.db.read.rows<{ name: string }>(
    sql`select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like 'sealed\\_%' and data_type = 'bytea' order by 1`,
  );
  expect(columns.map(({ name }) => name)).toEqual([
    'login_totp.sealed_secret',
    'mail.sealed_link',
    'nrtm_key.sealed_private',
    'rpki_key.sealed_private',
    'rpki_one_time_key.sealed_private',
    'signing_key.sealed_private',
    'webhook_secret.sealed_secret',
  ]);
});
