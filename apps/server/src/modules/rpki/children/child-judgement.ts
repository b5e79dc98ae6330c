import { printPrefix } from '@portal/number-resources';
import {
  type AuthorityCertificate,
  authoritiesInTurn,
  type Decoded,
  decodeCertificate,
  equalBytes,
  type FileMemory,
  memoryKey,
  namesListedIn,
  ProfileError,
  type PublishedFile,
  rememberFile,
  validateAuthority,
} from '@portal/rpki-objects';
import { nodeCryptography } from '../authorities/cryptography.ts';

/** Files that a member's own authority publishes here, and its certificates. `files`: a line each, with address, SHA-256 in hexadecimal, and size. */
export type PublishedByChild = { certificates: readonly Uint8Array[]; files: string; now: number };
/** ROA payloads that validators derive from it (a line each: prefix, AS number, maximum length), what they would refuse, and how long this is valid. Times in ms. */
export type Judgement = {
  payloads: string;
  problems: readonly string[];
  hints: readonly string[];
  endsAt: number | null;
  againAt: number | null;
};
/** Returns the bytes of files, one after the other; null if one of them no longer exists. */
export type BytesOf = (uris: readonly string[]) => Promise<{ bytes: Uint8Array; lengths: readonly number[] } | null>;

/** Maximum number of stored problems and hints of one authority, and their length. */
const NAMED = 20;
const LONGEST = 500;
/** Limits for a member's own authority with its customers': far more than any has, yet quick to read. */
const childLimits = { maxAuthorities: 500, maxLevels: 8 };
/** Maximum number of manifest entries, bytes of manifests and CRLs, and payloads: an authority publishes at most 20,000 files and 100 MB. */
const MAX_LISTED = 3 * 20_000;
const MAX_LIST_BYTES = 200_000_000;
const MAX_PAYLOADS = 50_000;
/** Files and bytes requested at a time. */
const FILES_AT_ONCE = 200;
const BYTES_AT_ONCE = 1_000_000;

/** Maximum number of recently read files, and ROA payloads in them, in the cache. */
const REMEMBERED = 300_000;

type Listed = PublishedFile & { size: number };
const listedFiles = (text: string): Map<string, Listed> =>
  new Map(
    text.split('\n').flatMap(line => {
      const [uri, sha256, size] = line.split(' ');
      return size === undefined ? [] : [[uri!, { sha256: Buffer.from(sha256!, 'hex'), bytes: null, size: Number(size) }] as const];
    }),
  );

/**
 * Reads what an authority publishes here as a relying party does. Only files missing in the cache are requested, besides manifests and CRLs, so a
 * change costs only what changed. Returns null if a file changed meanwhile: then the authority is judged again.
 */
export async function judgeChild(published: PublishedByChild, memory: FileMemory, bytesOf: BytesOf): Promise<Judgement | null> {
  const files = listedFiles(published.files);
  const options = { now: new Date(published.now), cryptography: nodeCryptography, level: 'rfc' as const, memory };
  const payloads = new Set<string>();
  const [problems, hints, ends, starts]: [string[], string[], number[], number[]] = [[], [], [], []];
  const inWords = (uri: string, words: string): string => `${uri.slice(uri.lastIndexOf('/') + 1)}: ${words}`;
  let [listed, listBytes] = [0, 0];
  const take = async (uris: readonly string[], took: (uri: string, file: Listed) => void): Promise<boolean> => {
    for (let at = 0; at < uris.length; ) {
      const some: string[] = [];
      for (let size = 0; at < uris.length && some.length < FILES_AT_ONCE && (size === 0 || size < BYTES_AT_ONCE); at++) {
        some.push(uris[at]!);
        size += files.get(uris[at]!)!.size;
      }
      const given = await bytesOf(some);
      if (given === null) return false;
      let from = 0;
      for (const [index, uri] of some.entries()) {
        const bytes = given.bytes.subarray(from, (from += given.lengths[index]!));
        const file = files.get(uri)!;
        if (!equalBytes(nodeCryptography.sha256(bytes), file.sha256)) return false;
        took(uri, { ...file, bytes });
      }
    }
    return true;
  };
  const keep = (uri: string, file: Listed): void => void files.set(uri, file);

  const turns = authoritiesInTurn(
    published.certificates.map(certificate => decodeCertificate(certificate) as Decoded<AuthorityCertificate>),
    childLimits,
  );
  for (let authority = turns.next(); authority !== undefined; authority = turns.next()) {
    const { manifestUri, repositoryUri } = authority;
    // It may publish elsewhere, or nothing yet.
    if (!files.has(manifestUri)) continue;
    try {
      if (!(await take([manifestUri], keep))) return null;
      const uris = namesListedIn(files.get(manifestUri)!.bytes!)
        .map(name => repositoryUri + name)
        .filter(uri => files.has(uri));
      const crls = uris.filter(uri => uri.endsWith('.crl')).slice(0, 1);
      listed += uris.length;
      listBytes += files.get(manifestUri)!.size + crls.reduce((sum, uri) => sum + files.get(uri)!.size, 0);
      if (listed > MAX_LISTED) throw new ProfileError(`The manifests list more than ${MAX_LISTED} files`);
      if (listBytes > MAX_LIST_BYTES) throw new ProfileError(`Manifests and CRLs have more than ${MAX_LIST_BYTES} bytes`);
      if (!(await take(crls, keep))) return null;
      const isUnknown = (uri: string): boolean => !uri.endsWith('.crl') && !memory.get(memoryKey(uri, files.get(uri)!, authority!));
      if (!(await take(uris.filter(isUnknown), (uri, file) => void rememberFile(uri, file, authority!, options)))) return null;
      if (uris.some(isUnknown))
        throw new ProfileError(
          `The files of one authority have more than ${REMEMBERED} ROA payloads, repeated ones too, so none of them counts here`,
        );
      const validated = validateAuthority(authority, files, options);
      for (const { prefix, asNumber, maxLength } of validated.vrps) {
        payloads.add(`${printPrefix(prefix)} ${asNumber} ${maxLength}`);
        if (payloads.size > MAX_PAYLOADS) throw new ProfileError(`There are more than ${MAX_PAYLOADS} ROA payloads, so none counts here`);
      }
      problems.push(...validated.problems.map(({ uri, problem }) => inWords(uri, problem)).slice(0, NAMED));
      hints.push(...validated.hints.map(({ uri, hint }) => inWords(uri, hint)).slice(0, NAMED));
      if (validated.endsAt !== null) ends.push(Number(validated.endsAt));
      if (validated.startsAt !== null) starts.push(Number(validated.startsAt));
      turns.below(authority, validated.authorities);
    } catch (error) {
      if (!(error instanceof ProfileError) && !(error instanceof RangeError)) throw error;
      problems.push(error.message);
    }
    // Caching a manifest of every customer's authority would take much memory.
    files.set(manifestUri, { ...files.get(manifestUri)!, bytes: null });
  }
  const first = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.min(...times));
  const named = (sentences: readonly string[]): string[] => sentences.slice(0, NAMED).map(sentence => sentence.slice(0, LONGEST));
  return {
    payloads: payloads.size > MAX_PAYLOADS ? '' : [...payloads].join('\n'),
    problems: named(problems),
    hints: named(hints),
    endsAt: first(ends),
    againAt: first([...ends, ...starts]),
  };
}

/** Returns a cache that evicts the least recently used entry. */
export function boundedMemory(most = REMEMBERED): FileMemory {
  const known = new Map<string, Parameters<FileMemory['set']>[1]>();
  let weight = 0;
  const weightOf = (facts: Parameters<FileMemory['set']>[1]): number => 1 + ('vrps' in facts ? facts.vrps.length : 0);
  return {
    get: key => {
      const facts = known.get(key);
      if (facts !== undefined) {
        known.delete(key);
        known.set(key, facts);
      }
      return facts;
    },
    set: (key, facts) => {
      known.set(key, facts);
      weight += weightOf(facts);
      for (const [oldest, forgotten] of known) {
        if (weight <= most) break;
        known.delete(oldest);
        weight -= weightOf(forgotten);
      }
    },
  };
}
