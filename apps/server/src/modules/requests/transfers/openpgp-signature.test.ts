import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';
import { fileSigner } from './openpgp-signature.ts';

const secrets = { secretKey: 'a secret of a test that is long enough', secretKeyOld: '' };
const gpg = ['/usr/bin/gpg', '/usr/local/bin/gpg', '/opt/homebrew/bin/gpg'].find(file => fs.existsSync(file));

test('the key is derived from the secret, and another secret gives another key', () => {
  const signer = fileSigner(secrets, 'Example <a@b.example>');
  expect(fileSigner(secrets, 'Example <a@b.example>').publicKey).toBe(signer.publicKey);
  expect(fileSigner({ ...secrets, secretKey: 'another secret of a test, long enough' }, 'Example').fingerprint).not.toBe(
    signer.fingerprint,
  );
});

test.runIf(gpg)('GnuPG verifies each published file, and refuses one that was changed', async () => {
  await using portal = await testPortal();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gpg-'));
  const run = (...args: string[]): string =>
    execFileSync(gpg!, ['--homedir', folder, '--batch', '--no-autostart', '--status-fd', '1', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    fs.chmodSync(folder, 0o700);
    const fetched = async (name: string): Promise<Buffer> => Buffer.from(await (await portal.request(`/statistics/${name}`)).arrayBuffer());
    fs.writeFileSync(path.join(folder, 'key.asc'), await fetched('signing-key.asc'));
    run('--import', path.join(folder, 'key.asc'));
    for (const name of ['delegated-example-latest', 'delegated-example-extended-latest']) {
      const [file, signature] = [path.join(folder, name), path.join(folder, `${name}.asc`)];
      fs.writeFileSync(file, await fetched(name));
      fs.writeFileSync(signature, await fetched(`${name}.asc`));
      expect(run('--verify', signature, file)).toMatch(/GOODSIG [0-9A-F]+ Example Registry <hostmaster@registry\.example>/);
      fs.appendFileSync(file, '\n');
      expect(() => run('--verify', signature, file)).toThrow();
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
