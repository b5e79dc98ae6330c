import { parsePrefix, resourceSetOf } from '@portal/number-resources';
import { encodeRoa } from '../src/index.ts';
import { DerReader, type Element } from '../src/der-reader.ts';
import {
  element,
  generalizedTime,
  integer,
  leadingBits,
  nullValue,
  octetString,
  oid,
  sequence,
  setOf,
  tags,
  text,
} from '../src/der-writer.ts';
import { oids } from '../src/object-identifiers.ts';
import { day, type Key, type Shapes, smallAuthority } from './small-authority.ts';

/** Returns the elements of a sequence. */
export function partsOf(bytes: Uint8Array, tag: number = tags.sequence): Element[] {
  const reader = new DerReader(new DerReader(bytes, 'A test').one(tag, 'list').content, 'A test');
  const parts: Element[] = [];
  while (!reader.atEnd) parts.push(reader.any('part'));
  return parts;
}
/** Rewrites one element of a sequence; a negative place counts from the end. */
const atPlace = (place: number, rewrite: (element: Element) => Uint8Array) => (bytes: Uint8Array) => {
  const parts = partsOf(bytes);
  const at = place < 0 ? parts.length + place : place;
  return sequence(...parts.map((part, index) => (index === at ? rewrite(part) : part.whole)));
};
const reversed = ({ whole }: Pick<Element, 'whole'>): Uint8Array =>
  sequence(
    ...partsOf(whole)
      .map(part => part.whole)
      .reverse(),
  );
/** Rewrites the extensions, which come last under a tag of their own. */
export const extensions = (tag: number, rewrite: (list: Uint8Array) => Uint8Array) =>
  atPlace(-1, ({ content }) => element(tags.context(tag), rewrite(content)));

/** Rewrites the signed data of a message, which is in its outer sequence under a tag of its own. */
const signedData = (rewrite: (data: Uint8Array) => Uint8Array) => atPlace(1, ({ content }) => element(tags.context(0), rewrite(content)));
/** Rewrites the one signer of a message. */
const signer = (rewrite: (info: Uint8Array) => Uint8Array) => signedData(atPlace(-1, ({ content }) => element(tags.set, rewrite(content))));
const sha256WithNull = sequence(oid(oids.sha256), nullValue);
const sha256WithRsa = sequence(oid(oids.sha256WithRsa), nullValue);
/** A name whose common name is a UTF8String, as OpenSSL writes it by default. */
const inUtf8 = ({ content }: Element): Uint8Array => {
  const [attribute] = partsOf(partsOf(content, tags.set)[0]!.whole).slice(1);
  return sequence(element(tags.set, sequence(oid(oids.commonName), element(0x0c, attribute!.content))));
};
/** A name with a serial number beside the common name (RFC 6487, section 4.4). */
const withSerialNumber = ({ content }: Element): Uint8Array =>
  sequence(new DerReader(content, 'A test').any('name').whole, setOf(sequence(oid('2.5.4.5'), text(tags.printableString, '7'))));

const bits = (address: string, length: number) => leadingBits(parsePrefix(`${address}/${length}`).first, 32, length);
const ipv4 = (asNumber: number, ...prefixes: Uint8Array[]) =>
  sequence(integer(asNumber), sequence(sequence(octetString(Uint8Array.of(0, 1)), sequence(...prefixes))));

/** Rewrites the value of one extension of a certificate. */
export const extensionOf = (id: string, rewrite: (value: Uint8Array) => Uint8Array) =>
  extensions(3, list =>
    sequence(
      ...partsOf(list).map(({ whole }) => {
        const parts = partsOf(whole);
        if (!equalTo(parts[0]!.whole, oid(id))) return whole;
        return sequence(...bytesOf(parts.slice(0, -1)), octetString(rewrite(parts.at(-1)!.content)));
      }),
    ),
  );
const equalTo = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);
const uri = (address: string): Uint8Array => text(tags.contextPrimitive(6), address);
/** A way of access (method and address) after those of the extension. */
export const withAccess = (method: string, address: string) => (value: Uint8Array) =>
  sequence(...bytesOf(partsOf(value)), sequence(oid(method), uri(address)));
/** An address of the CRL after or before its own one. */
const withCrlAddress =
  (address: string, isFirst = false) =>
  (value: Uint8Array) => {
    const point = partsOf(partsOf(value)[0]!.whole)[0]!;
    const own = partsOf(partsOf(point.whole, tags.context(0))[0]!.whole, tags.context(0))[0]!;
    const names = isFirst ? [uri(address), own.whole] : [own.whole, uri(address)];
    return sequence(sequence(element(tags.context(0), element(tags.context(0), Buffer.concat(names)))));
  };

/** A form of what an authority publishes: a ROA, and the manifest and CRL over it. */
export type Form = {
  finish?: Shapes;
  /** The content of the ROA; else one of 192.0.2.0/24. */
  roa?: (asNumber: number) => Uint8Array;
  roaCertificate?: (bytes: Uint8Array) => Uint8Array;
  roaAttributes?: (bytes: Uint8Array) => Uint8Array;
  roaMessage?: (bytes: Uint8Array) => Uint8Array;
  /** The name of a further file, which is no object that is read here. */
  more?: string;
};
type Publishing = Parameters<typeof smallAuthority>[2] & { keys: { ta: Key; manifest: Key; roa: Key }; asNumber: number };

/** A trust anchor that publishes in this form. */
export function publishedInForm(
  { finish, roa, roaCertificate, roaAttributes, roaMessage, more }: Form,
  { keys, asNumber, ...place }: Publishing,
) {
  const ta = smallAuthority(keys.ta, undefined, place);
  const uri = `${ta.repositoryUri}one.roa`;
  const content = roa?.(asNumber) ?? encodeRoa({ asNumber, prefixes: [{ prefix: parsePrefix('192.0.2.0/24'), maxLength: 24 }] });
  const how = {
    resources: resourceSetOf([parsePrefix('192.0.2.0/23'), parsePrefix('2001:db8::/32')]),
    one: keys.roa,
    objectUri: uri,
    ...(roaCertificate && { shape: roaCertificate }),
    ...(roaAttributes && { attributes: roaAttributes }),
    ...(roaMessage && { message: roaMessage }),
  };
  ta.put(uri, ta.object('roa', content, how));
  if (more !== undefined)
    ta.put(ta.repositoryUri + more, new TextEncoder().encode('no object that anyone reads, of a hundred bytes and more'.repeat(3)));
  const revoked = [7n, 9n, 300n].map(serial => ({ serial, revokedAt: new Date(+place.now - day) }));
  ta.finish(keys.manifest, revoked, finish);
  return ta;
}

export const bytesOf = (elements: readonly Element[]): Uint8Array[] => elements.map(({ whole }) => whole);

/** Forms that rpki-client and fort accept and this registry doesn't write, with what the hint says. */
export const formsOfOthers = (now: Date): readonly (readonly [string, Form, RegExp])[] => [
  ['a CRL whose serial numbers descend', { finish: { crl: atPlace(5, reversed) } }, /another order/],
  ['a CRL whose number comes before the key', { finish: { crl: extensions(0, list => reversed({ whole: list })) } }, /another order/],
  [
    'a CRL that revokes a certificate twice',
    { finish: { crl: atPlace(5, ({ whole }) => sequence(...bytesOf([...partsOf(whole), partsOf(whole)[0]!]))) } },
    /twice/,
  ],
  ['a CRL whose issuer is in UTF-8', { finish: { crl: atPlace(2, inUtf8) } }, /PrintableString/],
  ['a manifest whose files are in no order', { finish: { manifest: atPlace(-1, reversed) } }, /another order/],
  ['a manifest that lists a file of another kind', { more: 'x.spl' }, /not read here|not published here/],
  ['a manifest that lists a ghostbusters record', { more: 'x.gbr' }, /not published here/],
  ['a manifest whose certificate lives longer than it', { finish: { to: new Date(+now + 3 * day) } }, /for the time of the manifest alone/],
  [
    'a manifest whose digest algorithm has parameters',
    { finish: { message: signedData(atPlace(1, () => setOf(sha256WithNull))) } },
    /has parameters/,
  ],
  [
    'a manifest whose attributes are in another order',
    { finish: { attributes: bytes => element(tags.set, ...bytesOf(partsOf(bytes, tags.set).reverse())) } },
    /another order/,
  ],
  [
    'a ROA whose certificate has its extensions in another order',
    { roaCertificate: extensions(3, list => reversed({ whole: list })) },
    /another order/,
  ],
  ['a ROA whose certificate names its subject in UTF-8', { roaCertificate: atPlace(5, inUtf8) }, /PrintableString/],
  ['a ROA whose certificate names its issuer in UTF-8', { roaCertificate: atPlace(3, inUtf8) }, /PrintableString/],
  ['a ROA whose certificate has a serial number in its subject', { roaCertificate: atPlace(5, withSerialNumber) }, /serial number/],
  ['a ROA whose signer names its digest with its key', { roaMessage: signer(atPlace(4, () => sha256WithRsa)) }, /names its digest/],
  ['a ROA whose signer gives its digest parameters', { roaMessage: signer(atPlace(2, () => sha256WithNull)) }, /has parameters/],
  [
    'a ROA whose attributes are in another order',
    { roaAttributes: bytes => element(tags.set, ...bytesOf(partsOf(bytes, tags.set).reverse())) },
    /another order/,
  ],
  [
    'a ROA that was signed at a GeneralizedTime',
    {
      roaAttributes: bytes =>
        setOf(
          ...partsOf(bytes, tags.set).map(({ whole }) =>
            Buffer.from(whole).includes(Buffer.from(oid(oids.signingTime)))
              ? sequence(oid(oids.signingTime), setOf(generalizedTime(now)))
              : whole,
          ),
        ),
    },
    /GeneralizedTime/,
  ],
  [
    'a ROA with prefixes out of order',
    { roa: as => ipv4(as, sequence(bits('192.0.3.0', 24)), sequence(bits('192.0.2.0', 24))) },
    /canonical/,
  ],
  ['a ROA with a prefix twice', { roa: as => ipv4(as, sequence(bits('192.0.2.0', 24)), sequence(bits('192.0.2.0', 24))) }, /canonical/],
  [
    'a ROA with a maximum length that repeats the length',
    { roa: as => ipv4(as, sequence(bits('192.0.2.0', 24), integer(24))) },
    /canonical/,
  ],
  [
    'a ROA with IPv6 before IPv4',
    {
      roa: as =>
        sequence(
          integer(as),
          reversed({
            whole: partsOf(
              encodeRoa({
                asNumber: as,
                prefixes: ['192.0.2.0/24', '2001:db8::/32'].map(each => ({
                  prefix: parsePrefix(each),
                  maxLength: parsePrefix(each).length,
                })),
              }),
            )[1]!.whole,
          }),
        ),
    },
    /canonical/,
  ],
  [
    'a ROA whose certificate names a second address of its CRL',
    { roaCertificate: extensionOf(oids.crlDistributionPoints, withCrlAddress('https://rpki.example/own.crl')) },
    /more than one address/,
  ],
  [
    'a ROA whose certificate names an https address of its CRL first',
    { roaCertificate: extensionOf(oids.crlDistributionPoints, withCrlAddress('https://rpki.example/own.crl', true)) },
    /more than one address/,
  ],
  [
    'a ROA whose certificate names the notification file beside it',
    { roaCertificate: extensionOf(oids.subjectInformationAccess, withAccess(oids.rpkiNotify, 'https://rpki.example/notification.xml')) },
    /notification file/,
  ],
  [
    'a ROA whose certificate names a second address of it',
    { roaCertificate: extensionOf(oids.subjectInformationAccess, withAccess(oids.signedObject, 'https://rpki.example/one.roa')) },
    /more than one address/,
  ],
  [
    'a manifest whose certificate names the notification file beside it',
    {
      finish: {
        certificate: extensionOf(oids.subjectInformationAccess, withAccess(oids.rpkiNotify, 'https://rpki.example/notification.xml')),
      },
    },
    /notification file/,
  ],
];
