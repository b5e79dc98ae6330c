import { createHash } from 'node:crypto';
import { softwareSigner } from '../src/adapters/software-signer.ts';
import type { CaSigner, MadeKey } from '../src/modules/rpki/authorities/signer.ts';
import type { Secrets } from '../src/platform/secret-box.ts';
import { oncePerRun } from './once-per-run.ts';

/** Made together, by all threads of the signer. */
const BATCH = 16;

/** One for each SECRET_KEY: its threads are shared too, and end with the process. */
const signers = new Map<string, CaSigner>();

/**
 * Signs for the RPKI of a test portal, with keys that the run makes once: a pair of RSA keys takes a tenth of a second of processor, and the tests need a
 * thousand. A portal gets none twice, and all portals the same ones in the same order: so only one portal on a database may have this signer, and no other
 * registry may be restored into it.
 */
export function signerWithSharedKeys(secrets: Secrets): CaSigner {
  const secret = createHash('sha256').update(JSON.stringify(secrets)).digest('hex').slice(0, 16);
  const signer = signers.get(secret) ?? softwareSigner(secrets);
  signers.set(secret, signer);
  const batch = async (number: number): Promise<MadeKey[]> => {
    const bytes = await oncePerRun(`rpki-keys.${secret}.${number}`, async () =>
      Buffer.from(
        JSON.stringify(
          (await signer.createKeys(BATCH)).map(({ publicKey, keyIdentifier, sealed }) => [
            Buffer.from(publicKey).toString('base64'),
            keyIdentifier,
            Buffer.from(sealed).toString('base64'),
          ]),
        ),
      ),
    );
    return (JSON.parse(bytes.toString()) as [string, string, string][]).map(([publicKey, keyIdentifier, sealed]) => ({
      publicKey: new Uint8Array(Buffer.from(publicKey, 'base64')),
      keyIdentifier,
      sealed: new Uint8Array(Buffer.from(sealed, 'base64')),
    }));
  };
  let taken = 0;
  const take = async (count: number): Promise<MadeKey[]> => {
    const [from, to] = [taken, taken + count];
    taken = to;
    const first = Math.floor(from / BATCH);
    const batches = await Promise.all(Array.from({ length: Math.ceil(to / BATCH) - first }, (_, place) => batch(first + place)));
    return batches.flat().slice(from - first * BATCH, to - first * BATCH);
  };
  return {
    createKeys: take,
    createAuthorityKey: async () => (await take(1))[0]!,
    sign: all => signer.sign(all),
    close: async () => {},
  };
}
