import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export type Behaviour = {
  /** The page's origin as the browser writes it down. */
  origin: string;
  /** The device recognised its person. */
  userVerified?: boolean;
  /** The passkey is copied between devices: its counter stays 0. */
  synced?: boolean;
};

type CreationOptions = { challenge: string; rp: { id?: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId?: string };

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** The part of CBOR (RFC 8949) that authenticators speak: small integers, text, bytes and maps. */
function cbor(value: number | string | Uint8Array | ReadonlyMap<number | string, unknown>): Buffer {
  const head = (major: number, count: number): Buffer =>
    count < 24
      ? Buffer.of((major << 5) | count)
      : count < 256
        ? Buffer.of((major << 5) | 24, count)
        : Buffer.of((major << 5) | 25, count >> 8, count & 255);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, entry]) => [cbor(key), cbor(entry as never)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

/** A passkey device in software: answers the options of the server as a browser with a device would (WebAuthn level 2, 6.1 and 6.5). */
export function softwareAuthenticator({ origin, userVerified = true, synced = false }: Behaviour) {
  const id = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const coseKey = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]),
  );
  const device = {
    origin,
    userVerified,
    /** The last counter; the next answer increments it. */
    counter: 0,
    credentialId: id.toString('base64url'),
    userHandle: '',
    /** The answer to `navigator.credentials.create`, as JSON. */
    create({ challenge, rp, user }: CreationOptions): string {
      device.userHandle = user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(rp.id!, 0x40, attested)],
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      });
    },
    /** The answer to `navigator.credentials.get`, as JSON. */
    get({ challenge, rpId }: RequestOptions): string {
      const data = authenticatorData(rpId!, 0);
      const client = clientData('webauthn.get', challenge);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        userHandle: device.userHandle,
      });
    },
  };
  const answer = (response: Record<string, unknown>): string =>
    JSON.stringify({ id: device.credentialId, rawId: device.credentialId, type: 'public-key', clientExtensionResults: {}, response });
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: device.origin, crossOrigin: false }));
  const authenticatorData = (rpId: string, flags: number, attested: Uint8Array = Buffer.alloc(0)): Buffer => {
    const backup = synced ? 0x18 : 0;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(synced ? 0 : ++device.counter);
    return Buffer.concat([sha256(rpId), Buffer.of(0x01 | (device.userVerified ? 0x04 : 0) | backup | flags), counter, attested]);
  };
  return device;
}
