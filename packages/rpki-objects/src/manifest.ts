import { DerReader } from './der-reader.ts';
import { type Deviation, refuseDeviations } from './deviation.ts';
import { bitString, generalizedTime, integer, oid, sequence, tags, text } from './der-writer.ts';
import { oids } from './object-identifiers.ts';
import { ProfileError } from './profile-error.ts';

/** All that a CA publishes, but the manifest itself (RFC 9286). */
export type Manifest = {
  number: bigint;
  thisUpdate: Date;
  nextUpdate: Date;
  /** By name; SHA-256 of each file. */
  files: readonly { name: string; sha256: Uint8Array }[];
};

/** Names in a directory (RFC 9286, section 4.2.2). */
const fileName = /^[A-Za-z0-9_-]+\.[a-z]{3}$/;
/** The kinds of files in use here. */
const knownKinds = /\.(?:cer|crl|roa|asa|gbr|tak)$/;

/** The content of a manifest; its files in ascending order of their names. */
export const encodeManifest = ({ number, thisUpdate, nextUpdate, files }: Manifest): Uint8Array =>
  sequence(
    integer(number),
    generalizedTime(thisUpdate),
    generalizedTime(nextUpdate),
    oid(oids.sha256),
    sequence(
      ...[...files]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, sha256 }) => sequence(text(tags.ia5String, name), bitString(sha256))),
    ),
  );

/**
 * Reads the content of a manifest.
 * @param deviates called for files that are not in ascending order of their names, which no RFC asks for, and for kinds of files that are not read here
 * @throws {ProfileError}
 */
export function decodeManifest(content: Uint8Array, deviates: Deviation = refuseDeviations): Manifest {
  const outer = new DerReader(content, 'The manifest');
  const parts = outer.sequence('manifest');
  outer.end();
  const number = parts.integer('manifest number');
  const [thisUpdate, nextUpdate] = [parts.generalizedTime('time of the manifest'), parts.generalizedTime('time of the next manifest')];
  if (thisUpdate >= nextUpdate) throw new ProfileError('The manifest is out of date when it is made');
  if (parts.oid('hash algorithm') !== oids.sha256) throw new ProfileError('The manifest has another hash algorithm than SHA-256');
  const list = parts.sequence('list of files');
  parts.end();
  const files: { name: string; sha256: Uint8Array }[] = [];
  let isInOrder = true;
  while (!list.atEnd) {
    const one = list.sequence('file');
    const name = one.text(tags.ia5String, 'file name');
    const sha256 = one.wholeBits('hash of a file');
    one.end();
    if (!fileName.test(name)) throw new ProfileError(`${name} is not a name that files of a repository have`);
    if (!knownKinds.test(name)) deviates(`${name} is of a kind that is not read here`);
    if (sha256.length !== 32) throw new ProfileError(`The hash of ${name} does not have 32 bytes`);
    isInOrder &&= files.length === 0 || files.at(-1)!.name < name;
    files.push({ name, sha256 });
  }
  if (!isInOrder && new Set(files.map(({ name }) => name)).size < files.length) throw new ProfileError('The manifest lists a file twice');
  // Every element was read in DER, so that nothing but the order can differ.
  if (!isInOrder) deviates('The manifest lists its files in another order');
  return { number, thisUpdate, nextUpdate, files };
}
