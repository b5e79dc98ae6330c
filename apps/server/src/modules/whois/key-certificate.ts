import { createHash } from 'node:crypto';
import { attributeOf, type RpslObject, valueOf, valuesOf } from '@portal/rpsl';
import { problem, type WhoisProblem } from './update.ts';

/**
 * Fills in method, owner and fingerprint of a key-cert from the OpenPGP key in its `certif` lines (RFC 4880 sections 4.2, 5.5.2, 5.11, 6.2, 12.2),
 * and refuses one whose name is not that of its key.
 */
export function certificateOf(object: RpslObject): { object: RpslObject; problems: WhoisProblem[] } {
  const name = valueOf(object, 'key-cert') ?? '';
  if (!/^pgpkey-/i.test(name)) return { object, problems: [] };
  const key = readKey(valuesOf(object, 'certif').join('\n'));
  if (!key)
    return {
      object,
      problems: [
        problem(
          object,
          'not-a-key',
          'certif is not an OpenPGP public key; paste all of it, from BEGIN PGP PUBLIC KEY BLOCK to END, a line each',
          { attribute: 'certif' },
        ),
      ],
    };
  const problems =
    key.fingerprint.slice(-8) === name.slice(7).toUpperCase()
      ? []
      : [problem(object, 'wrong-key-id', `This key is PGPKEY-${key.fingerprint.slice(-8)}`, { attribute: 'key-cert' })];
  const [first, ...rest] = object.attributes.filter(attribute => !generated.has(attribute.name));
  const made = [
    attributeOf('method', 'PGP'),
    ...key.owners.map(owner => attributeOf('owner', owner)),
    attributeOf('fingerpr', key.fingerprint.replace(/(.{4})(?!$)/g, '$1 ')),
  ];
  return { object: { ...object, attributes: [first!, ...made, ...rest] }, problems };
}

const generated = new Set(['method', 'owner', 'fingerpr']);

function readKey(text: string): { fingerprint: string; owners: string[] } | null {
  const lines = text.split('\n').map(line => line.trim());
  const begin = lines.findIndex(line => /^-+BEGIN PGP PUBLIC KEY BLOCK-+$/.test(line));
  const end = lines.findIndex(line => /^-+END PGP PUBLIC KEY BLOCK-+$/.test(line));
  if (begin < 0 || end < begin) return null;
  const body = lines.slice(begin + 1, end).filter(line => /^[A-Za-z0-9+/]+={0,2}$/.test(line));
  const bytes = Buffer.from(body.join(''), 'base64');
  let fingerprint: string | null = null;
  const owners: string[] = [];
  for (const { tag, packet } of packetsOf(bytes)) {
    if (tag === 6 && fingerprint === null && packet[0] === 4) {
      const head = Buffer.from([0x99, packet.length >> 8, packet.length & 255]);
      // A version 4 fingerprint is SHA-1 by definition; it names the key and secures nothing here.
      fingerprint = createHash('sha1').update(head).update(packet).digest('hex').toUpperCase();
    }
    if (tag === 13) owners.push(packet.toString('utf8').replaceAll(/[\r\n#]/g, ' '));
  }
  return fingerprint === null ? null : { fingerprint, owners };
}

/** Packets in their order; ends at the first that cannot be read. */
function* packetsOf(bytes: Buffer): Generator<{ tag: number; packet: Buffer }> {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const head = bytes[at++]!;
    if ((head & 0x80) === 0) return;
    const isNew = (head & 0x40) !== 0;
    const tag = isNew ? head & 0x3f : (head >> 2) & 0x0f;
    let length: number;
    if (isNew) {
      const first = bytes[at++]!;
      if (first < 192) length = first;
      else if (first < 224) length = ((first - 192) << 8) + (bytes[at++] ?? 0) + 192;
      else if (first === 255 && at + 4 <= bytes.length) {
        length = bytes.readUInt32BE(at);
        at += 4;
      } else return;
    } else {
      const size = [1, 2, 4, 0][head & 3]!;
      if (size === 0 || at + size > bytes.length) return;
      length = bytes.readUIntBE(at, size);
      at += size;
    }
    if (at + length > bytes.length) return;
    yield { tag, packet: bytes.subarray(at, at + length) };
    at += length;
  }
}
