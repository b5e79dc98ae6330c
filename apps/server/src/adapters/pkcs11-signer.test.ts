import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '@portal/contract/api';
import { type TestPortal, testPortal } from '../../test/portal.ts';
import { nodeCryptography } from '../modules/rpki/authorities/cryptography.ts';
import { checkRepository, publishAll } from '../modules/rpki/index.ts';
import { pkcs11Signer } from './pkcs11-signer.ts';
import { softwareSigner } from './software-signer.ts';

const library = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/pkcs11/libsofthsm2.so',
].find(existsSync);
const hasTools = ['softhsm2-util', 'pkcs11-tool'].every(name =>
  (process.env.PATH ?? '').split(path.delimiter).some(folder => existsSync(path.join(folder, name))),
);

describe.skipIf(!library || !hasTools)('a hardware module (SoftHSM)', () => {
  const given = { module: library ?? '', token: 'registry', pin: '48151623', environment: [''] };
  let folder = '';
  let portal: TestPortal;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'portal-hsm-'));
    await mkdir(path.join(folder, 'tokens'));
    await writeFile(
      path.join(folder, 'softhsm2.conf'),
      `directories.tokendir = ${folder}/tokens\nobjectstore.backend = file\nlog.level = ERROR\n`,
    );
    given.environment = [`SOFTHSM2_CONF=${folder}/softhsm2.conf`];
    execFileSync('softhsm2-util', ['--init-token', '--free', '--label', given.token, '--so-pin', '10203040', '--pin', given.pin], {
      env: { ...process.env, SOFTHSM2_CONF: `${folder}/softhsm2.conf` },
    });
    portal = await testPortal(undefined, {
      RPKI_PKCS11_MODULE: given.module,
      RPKI_PKCS11_TOKEN: given.token,
      RPKI_PKCS11_PIN: given.pin,
      RPKI_PKCS11_ENVIRONMENT: given.environment[0]!,
    });
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('holds the keys of the trust anchor and the registry, and signs a repository that validators accept', async () => {
    const corin = await portal.as('corin');
    await corin(api.rpki.enable, { account: 'EXAMPLE-AU' });
    await publishAll(portal.context);
    const kept = await portal.db.read.rows<{ kind: string; isInModule: boolean }>(
      sql`select c.kind, k.sealed_private like 'pkcs11:%'::bytea as is_in_module from rpki_key k join rpki_ca c using (ca_id) order by c.kind`,
    );
    expect(kept).toEqual([
      { kind: 'member', isInModule: false },
      { kind: 'registry', isInModule: true },
      { kind: 'trust-anchor', isInModule: true },
    ]);
    expect((await checkRepository(portal.db.read, new Date())).problems).toEqual([]);
    // The private part cannot be taken out.
    const listed = execFileSync(
      'pkcs11-tool',
      ['--module', given.module, '--token-label', given.token, '--login', '--pin', 'env:PKCS11_PIN', '--list-objects', '--type', 'privkey'],
      { encoding: 'utf8', env: { ...process.env, SOFTHSM2_CONF: `${folder}/softhsm2.conf`, PKCS11_PIN: given.pin } },
    );
    expect(listed.match(/never extractable/g)).toHaveLength(2);
  });

  test('signs beside keys of this program, in the order of what was to be signed', async () => {
    const signer = pkcs11Signer(given, softwareSigner(portal.config));
    const all = [await signer.createAuthorityKey('registry'), (await signer.createKeys(1))[0]!, await signer.createAuthorityKey('member')];
    const data = [1, 2, 3].map(byte => new Uint8Array(500).fill(byte));
    const signatures = await signer.sign(all.map((key, index) => ({ ...key, toBeSigned: data[index]! })));
    expect(all.map(({ publicKey }, index) => nodeCryptography.verifies(publicKey, data[index]!, signatures[index]!))).toEqual([
      true,
      true,
      true,
    ]);
    await signer.close();
  });

  test('a wrong PIN and an unknown token are named, and the PIN is not', async () => {
    const refused = async (wrong: Partial<typeof given>): Promise<string> => {
      const signer = pkcs11Signer({ ...given, ...wrong }, softwareSigner(portal.config));
      const message = await signer.createAuthorityKey('registry').then(
        () => 'made',
        (error: Error) => error.message,
      );
      await signer.close();
      return message;
    };
    const said = await refused({ pin: '99999999' });
    expect(said).toMatch(/PIN_INCORRECT/);
    expect(said).not.toContain('99999999');
    expect(await refused({ token: 'elsewhere' })).toMatch(/hardware module refused/);
  });
});
