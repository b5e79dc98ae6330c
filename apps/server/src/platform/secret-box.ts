import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The settings that encryption depends on. */
export type Secrets = { secretKey: string; secretKeyOld: string };

/** Encrypts what must not be readable in a copy of the database. A sealed value opens only under the name it was sealed for. */
export type SecretBox = {
  seal(name: string, plain: string | Uint8Array): Buffer;
  /** @throws Error when neither SECRET_KEY nor SECRET_KEY_OLD opens it, or the name is another one. */
  open(name: string, sealed: Uint8Array): Buffer;
  /**
   * Seals a value again with SECRET_KEY if only SECRET_KEY_OLD opens it; null if there is nothing to do.
   * @throws Error like `open`.
   */
  reseal(name: string, sealed: Uint8Array): Buffer | null;
};

/** Keys for one purpose, the current first, then that of SECRET_KEY_OLD while there is one. 32 bytes each (HKDF-SHA-256). */
export function derivedKeys({ secretKey, secretKeyOld }: Secrets, purpose: string): [Buffer, ...Buffer[]] {
  const derive = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `portal ${purpose}`, 32));
  return [derive(secretKey), ...(secretKeyOld ? [derive(secretKeyOld)] : [])];
}

const VERSION = 1;
const IV = 12;
const TAG = 16;

/** AES-256-GCM: version byte, 12 bytes IV, 16 bytes tag, ciphertext; the name is authenticated with it. */
export function openSecretBox(secrets: Secrets): SecretBox {
  const keys = derivedKeys(secrets, 'secrets at rest');
  const seal: SecretBox['seal'] = (name, plain) => {
    const iv = randomBytes(IV);
    const cipher = createCipheriv('aes-256-gcm', keys[0], iv).setAAD(Buffer.from(name));
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), text]);
  };
  const opened = (name: string, sealed: Uint8Array): { plain: Buffer; key: Buffer } => {
    if (sealed[0] !== VERSION) throw new Error(`The secret "${name}" is sealed in a form this version does not know.`);
    const bytes = Buffer.from(sealed);
    for (const key of keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + IV), { authTagLength: TAG }).setAAD(Buffer.from(name));
        decipher.setAuthTag(bytes.subarray(1 + IV, 1 + IV + TAG));
        return { plain: Buffer.concat([decipher.update(bytes.subarray(1 + IV + TAG)), decipher.final()]), key };
      } catch {
        // Encrypted with the other key, or tampered with: try the next key.
      }
    }
    throw new Error(`The secret "${name}" does not open with SECRET_KEY; if the key was changed, set SECRET_KEY_OLD to the one before.`);
  };
  return {
    seal,
    open: (name, sealed) => opened(name, sealed).plain,
    reseal: (name, sealed) => {
      const { plain, key } = opened(name, sealed);
      return key === keys[0] ? null : seal(name, plain);
    },
  };
}

/** Seals the rows again whose secret only SECRET_KEY_OLD opens. Returns how many. */
export async function resealRows<Row>(
  rows: readonly Row[],
  reseal: (row: Row) => Buffer | null,
  keep: (row: Row, anew: Buffer) => Promise<unknown>,
): Promise<number> {
  let resealed = 0;
  for (const row of rows) {
    const anew = reseal(row);
    if (anew === null) continue;
    await keep(row, anew);
    resealed++;
  }
  return resealed;
}
