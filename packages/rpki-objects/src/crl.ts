import { equalBytes } from './bytes.ts';
import { type Decoded, readAuthorityKeyId } from './certificate.ts';
import { DerReader } from './der-reader.ts';
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

/** A revocation list as it was published. */
export type PublishedRevocationList = Decoded<RevocationList> & {
  /** The serial numbers of `revoked`, to look one up among many thousands. */
  revokedSerials: ReadonlySet<bigint>;
};

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
  const revoked: { serial: bigint; revokedAt: Date }[] = [];
  let listed: Uint8Array = new Uint8Array();
  if (body.nextTag === tags.sequence) {
    const { content, whole } = body.one(tags.sequence, 'revoked certificates');
    listed = whole;
    const entries = new DerReader(content, 'revoked certificates');
    while (!entries.atEnd) {
      const entry = entries.sequence('revoked certificate');
      revoked.push({ serial: entry.integer('serial number'), revokedAt: entry.time('time of revocation') });
      entry.end();
    }
    if (revoked.length === 0) throw new ProfileError('The CRL has an empty list of revoked certificates');
  }
  const revokedSerials = new Set(revoked.map(({ serial }) => serial));
  if (revokedSerials.size < revoked.length) deviates('The CRL revokes a certificate twice');
  const extensions = readExtensions(body.inside(tags.context(0), 'extensions').sequence('extensions'));
  body.end();
  const list: RevocationList = {
    issuer,
    authorityKeyId: readAuthorityKeyId(extensions.authorityKeyId),
    number: readNumber(extensions.number),
    thisUpdate,
    nextUpdate,
    revoked,
  };
  // Every element was read in DER, so that nothing but the order can differ. Without the serial numbers, of which there may be many thousands: their order is seen here.
  const isInOrder = revoked.every(({ serial }, place) => place === 0 || revoked[place - 1]!.serial <= serial);
  if (!isInOrder || !isWithout(toBeSigned, encodeCrlToBeSigned({ ...list, revoked: [] }, issuerName), listed))
    deviates('The CRL lists serial numbers or extensions in another order');
  return { ...list, revokedSerials, toBeSigned, signature, bytes };
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
