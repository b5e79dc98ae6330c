import { equalBytes } from './bytes.ts';
import { type Decoded, readAuthorityKeyId } from './certificate.ts';
import { DerReader, type Element, integerOf } from './der-reader.ts';
import { type Deviation, refuseDeviations } from './deviation.ts';
import { element, integer, octetString, oid, sequence, tags, time } from './der-writer.ts';
import { oids } from './object-identifiers.ts';
import { ProfileError } from './profile-error.ts';
import { encodeName, readExactly, readName, readSigned, signatureAlgorithm } from './signed.ts';

/** Certificates that a CA revoked (RFC 6487, section 5; RFC 9829). */
export type RevocationList = {
  issuer: string;
  authorityKeyId: Uint8Array;
  number: bigint;
  thisUpdate: Date;
  nextUpdate: Date;
  /** By serial number, each once. */
  revoked: readonly { serial: bigint; revokedAt: Date }[];
};

/** A revocation list as it was published. Its entries are read when they are asked for: there may be many thousands, and they are looked up. */
export type PublishedRevocationList = Decoded<RevocationList> & {
  /** The `serialKey` of each serial number in `revoked`. */
  revokedSerials: ReadonlySet<string>;
};

/** Makes a character of each byte. */
const characters = new TextDecoder('latin1');

/** Under which a revocation list has a serial number: the content of its INTEGER, a character for each byte. */
export const serialKey = (serial: bigint): string =>
  characters.decode(new DerReader(integer(serial), 'The serial number').any('serial number').content);

/**
 * Encodes the part of a CRL that its issuer signs. The list of revoked certificates is left out where there are none.
 * @param issuerName the name as it was given, if not in our form
 */
export function encodeCrlToBeSigned(list: RevocationList, issuerName: Uint8Array = encodeName(list.issuer)): Uint8Array {
  const revoked = [...list.revoked].sort((a, b) => (a.serial < b.serial ? -1 : 1));
  const extensions = sequence(
    sequence(oid(oids.authorityKeyId), octetString(sequence(element(tags.contextPrimitive(0), list.authorityKeyId)))),
    sequence(oid(oids.crlNumber), octetString(integer(list.number))),
  );
  return sequence(
    integer(1),
    signatureAlgorithm,
    issuerName,
    time(list.thisUpdate),
    time(list.nextUpdate),
    ...(revoked.length === 0 ? [] : [sequence(...revoked.map(({ serial, revokedAt }) => sequence(integer(serial), time(revokedAt))))]),
    element(tags.context(0), extensions),
  );
}

/**
 * Parses a CRL by its profile; the signature is not checked here.
 * @param deviates called for another order than ascending serial numbers and key before number, which no RFC asks for
 * @throws {ProfileError}
 */
export function decodeCrl(bytes: Uint8Array, deviates: Deviation = refuseDeviations): PublishedRevocationList {
  const { toBeSigned, body, signature } = readSigned(bytes, 'The CRL');
  readExactly(body, integer(1), 'The version of the CRL');
  readExactly(body, signatureAlgorithm, 'The signature algorithm in the CRL');
  const { whole: issuerName } = body.any('issuer');
  const issuer = readName(new DerReader(issuerName, 'The CRL'), 'issuer', deviates);
  const [thisUpdate, nextUpdate] = [body.time('time of the CRL'), body.time('time of the next CRL')];
  if (thisUpdate >= nextUpdate) throw new ProfileError('The CRL is out of date when it is made');
  const found = body.nextTag === tags.sequence ? body.one(tags.sequence, 'revoked certificates') : null;
  if (found?.content.length === 0) throw new ProfileError('The CRL has an empty list of revoked certificates');
  const listed = found?.whole ?? new Uint8Array();
  const entries = found?.content ?? new Uint8Array();
  const { revokedSerials, count, isInOrder } = serialsIn(entries);
  if (revokedSerials.size < count) deviates('The CRL revokes a certificate twice');
  const extensions = readExtensions(body.inside(tags.context(0), 'extensions').sequence('extensions'));
  body.end();
  const list = {
    issuer,
    authorityKeyId: readAuthorityKeyId(extensions.authorityKeyId),
    number: readNumber(extensions.number),
    thisUpdate,
    nextUpdate,
  };
  // Every element was read in DER, so that nothing but the order can differ. Without the serial numbers, of which there may be many thousands: their order is seen there.
  if (!isInOrder || !isWithout(toBeSigned, encodeCrlToBeSigned({ ...list, revoked: [] }, issuerName), listed))
    deviates('The CRL lists serial numbers or extensions in another order');
  let revoked: RevocationList['revoked'] | undefined;
  return {
    ...list,
    get revoked() {
      return (revoked ??= entriesIn(entries));
    },
    revokedSerials,
    toBeSigned,
    signature,
    bytes,
  };
}

type Entry = { serial: Element; revokedAt: Date; length: number };

/** @throws {ProfileError} */
function entryAt(bytes: Uint8Array, at: number): Entry {
  const { whole, content } = new DerReader(bytes.subarray(at), 'revoked certificates').one(tags.sequence, 'revoked certificate');
  const entry = new DerReader(content, 'revoked certificate');
  const serial = entry.one(tags.integer, 'serial number');
  integerOf(serial, 'serial number');
  const revokedAt = entry.time('time of revocation');
  entry.end();
  return { serial, revokedAt, length: whole.length };
}

function entriesIn(bytes: Uint8Array): { serial: bigint; revokedAt: Date }[] {
  const revoked: { serial: bigint; revokedAt: Date }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { serial, revokedAt, length } = entryAt(bytes, at);
    revoked.push({ serial: integerOf(serial, 'serial number'), revokedAt });
    at += length;
  }
  return revoked;
}

/**
 * Checks every entry, and returns the serial numbers. Entries as programs write them are checked without making more of them than their key.
 * @throws {ProfileError}
 */
function serialsIn(bytes: Uint8Array): { revokedSerials: Set<string>; count: number; isInOrder: boolean } {
  const text = characters.decode(bytes);
  const revokedSerials = new Set<string>();
  let [count, isInOrder, before, beforeLength] = [0, true, 0, 0];
  for (let at = 0; at < bytes.length; count++) {
    let length = usualEntry(bytes, at);
    let serial = at + 4;
    let serialLength = bytes[at + 3]!;
    if (length === 0) {
      const entry = entryAt(bytes, at);
      const { content } = entry.serial;
      [serial, serialLength, length] = [content.byteOffset - bytes.byteOffset, content.length, entry.length];
    }
    isInOrder &&=
      beforeLength < serialLength || (beforeLength === serialLength && isAtMost(bytes, { before, serial, length: serialLength }));
    revokedSerials.add(text.slice(serial, serial + serialLength));
    [before, beforeLength] = [serial, serialLength];
    at += length;
  }
  return { revokedSerials, count, isInOrder };
}

/** True if one number of so many bytes is at most the one after it. */
function isAtMost(bytes: Uint8Array, { before, serial, length }: { before: number; serial: number; length: number }): boolean {
  for (let index = 0; index < length; index++)
    if (bytes[before + index] !== bytes[serial + index]) return bytes[before + index]! < bytes[serial + index]!;
  return true;
}

/** UTCTime with seconds, in UTC: tag, length, twelve digits, Z. */
const TIME = 15;

/** The length of an entry of a serial number and a UTCTime, both as DER has them; 0 for any other, which the reader of DER takes or refuses. */
function usualEntry(bytes: Uint8Array, at: number): number {
  const serialLength = bytes[at + 3]!;
  const first = bytes[at + 4]!;
  const timeAt = at + 4 + serialLength;
  const isUsual =
    timeAt + TIME <= bytes.length &&
    bytes[at] === tags.sequence &&
    bytes[at + 1] === 2 + serialLength + TIME &&
    bytes[at + 2] === tags.integer &&
    serialLength > 0 &&
    serialLength <= 21 &&
    first < 128 &&
    (first > 0 || serialLength === 1 || bytes[at + 5]! > 127) &&
    bytes[timeAt] === tags.utcTime &&
    bytes[timeAt + 1] === TIME - 2 &&
    bytes[timeAt + TIME - 1] === 0x5a &&
    isTwo(bytes, timeAt + 2, 0, 99) &&
    isTwo(bytes, timeAt + 4, 1, 12) &&
    // Not in February: its last days, and those of long months, are left to the reader of DER.
    isTwo(bytes, timeAt + 6, 1, bytes[timeAt + 4] === 0x30 && bytes[timeAt + 5] === 0x32 ? 28 : 30) &&
    isTwo(bytes, timeAt + 8, 0, 23) &&
    isTwo(bytes, timeAt + 10, 0, 59) &&
    isTwo(bytes, timeAt + 12, 0, 59);
  return isUsual ? 4 + serialLength + TIME : 0;
}

/** True for two digits of a number from `least` to `most`. */
function isTwo(bytes: Uint8Array, at: number, least: number, most: number): boolean {
  const tens = bytes[at]! - 48;
  const ones = bytes[at + 1]! - 48;
  const value = 10 * tens + ones;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && value >= least && value <= most;
}

/** Returns whether a list is another one with `listed` in it besides: the contents of both are compared, as their lengths differ. */
function isWithout(whole: Uint8Array, rest: Uint8Array, listed: Uint8Array): boolean {
  const contentOf = (bytes: Uint8Array): Uint8Array => new DerReader(bytes, 'The CRL').one(tags.sequence, 'list').content;
  const [all, others] = [contentOf(whole), contentOf(rest)];
  if (all.length !== others.length + listed.length) return false;
  const at = listed.length === 0 ? all.length : listed.byteOffset - all.byteOffset;
  return equalBytes(all.subarray(0, at), others.subarray(0, at)) && equalBytes(all.subarray(at + listed.length), others.subarray(at));
}

/** The two extensions of a CRL, in either order, not critical (RFC 6487, section 5; RFC 5280, section 5.2). */
function readExtensions(list: DerReader): { authorityKeyId: Uint8Array; number: Uint8Array } {
  const found = new Map<string, Uint8Array>();
  while (!list.atEnd) {
    const one = list.sequence('extension');
    const id = one.oid('extension');
    if (found.has(id)) throw new ProfileError(`The extension ${id} is there twice`);
    found.set(id, one.octets('extension'));
    one.end();
  }
  const [authorityKeyId, number] = [found.get(oids.authorityKeyId), found.get(oids.crlNumber)];
  if (!authorityKeyId || !number || found.size !== 2) throw new ProfileError('The CRL does not have exactly its two extensions');
  return { authorityKeyId, number };
}

function readNumber(extension: Uint8Array): bigint {
  const reader = new DerReader(extension, 'The CRL number');
  const number = reader.integer('CRL number');
  reader.end();
  return number;
}
