import { printPrefix } from '@portal/number-resources';
import {
  type Aspa,
  type AuthorityCertificate,
  authoritiesInTurn,
  type Decoded,
  decodeCertificate,
  equalBytes,
  type FileFacts,
  memoryKey,
  namesListedIn,
  ProfileError,
  type PublishedFile,
  readFile,
  validateAuthority,
  type ValidationResult,
  type Vrp,
} from '@portal/rpki-objects';
import { nodeCryptography } from '../authorities/cryptography.ts';

/** One state of what an authority publishes: how many changes it has, and when it was judged, in ms. */
export type Judged = { changes: number; at: number };
/**
 * Files and certificates of a member's own authority. `changes` counts its changes; `judged` is the judgement that is stored, and `changed` are the files
 * that changed since: a line each, with address, SHA-256 in hexadecimal, and size, or with the address alone where the file is gone. `now` in ms.
 */
export type PublishedByChild = {
  certificates: readonly Uint8Array[];
  changes: number;
  judged: Judged | null;
  changed: string;
  now: number;
};
/**
 * ROA payloads that validators derive from it (a line each: prefix, AS number, maximum length), what they would refuse, and how long this is valid. Times in ms.
 * `removed`: those that the stored judgement has and this one hasn't, and `payloads` those that it has besides; null where `payloads` are all.
 */
export type Judgement = {
  payloads: string;
  removed: string | null;
  problems: readonly string[];
  hints: readonly string[];
  endsAt: number | null;
  againAt: number | null;
};
/** Data that the thread asks for meanwhile. */
export type Supply = {
  /** Every file of the authority, a line each as in `changed`; null if it has changed meanwhile. */
  listFiles: () => Promise<string | null>;
  bytesOf: BytesOf;
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

/** Maximum number of recently read files, and ROA payloads and ASPAs with their providers in them, in the cache. */
const REMEMBERED = 300_000;

type Listed = PublishedFile & { size: number };
type Files = Map<string, Listed>;

/** Takes the files of these lines, and returns the addresses of those that are others than before. */
function takeLines(files: Files, lines: string): Set<string> {
  const touched = new Set<string>();
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    const [uri, hex, size] = line.split(' ') as [string, string | undefined, string | undefined];
    const sha256 = hex === undefined ? null : Buffer.from(hex, 'hex');
    const before = files.get(uri);
    if (sha256 === null ? !before : before && equalBytes(before.sha256, sha256)) continue;
    touched.add(uri);
    if (sha256 === null) files.delete(uri);
    else files.set(uri, { sha256, bytes: null, size: Number(size) });
  }
  return touched;
}

/** The result for one CA, which stays until something in its directory changes or ends. Times in ms. */
type KnownResult = {
  authority: Decoded<AuthorityCertificate>;
  at: number;
  until: number;
  listed: number;
  listBytes: number;
  result: ValidationResult;
};
type KnownJudgement = Judged & { payloads: ReadonlySet<string> };
/** Knowledge of a thread about an authority: its files after so many changes, the results for its CAs, by their manifests, and its last judgements, one of which is stored. */
type KnownChild = {
  changes: number;
  files: Files;
  certificates: Map<string, Decoded<AuthorityCertificate>>;
  results: Map<string, KnownResult>;
  judgements: KnownJudgement[];
};

/**
 * Brings what this thread knows of an authority to its present state, and returns the addresses of changed files. The changes are those since the stored judgement: what was read
 * later has some of them already. Returns null if the authority changed meanwhile.
 */
async function bringKnown(
  memory: ChildMemory,
  { changes, judged, changed }: PublishedByChild,
  { child, listFiles }: { child: string; listFiles: Supply['listFiles'] },
): Promise<{ known: KnownChild; touched: Set<string> } | null> {
  const before = memory.children.get(child);
  if (before && judged && before.changes >= judged.changes && before.changes <= changes) {
    const touched = takeLines(before.files, changed);
    before.changes = changes;
    return { known: before, touched };
  }
  const lines = await listFiles();
  if (lines === null) return null;
  const files: Files = new Map();
  const touched = takeLines(files, lines);
  return { known: { changes, files, certificates: new Map(), results: new Map(), judgements: [] }, touched };
}

/** Gives files with their bytes, some at a time. Returns false if one of them changed. */
type TakeFiles = (uris: readonly string[], took: (uri: string, file: Listed) => void) => Promise<boolean>;

/** Returns how to take files of an authority: those requested together are bounded, and their bytes compared with the listed digests. */
const fileReading =
  (files: Files, bytesOf: Supply['bytesOf']): TakeFiles =>
  async (uris, took) => {
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
        // A certificate stays in the cache with its bytes, which would keep all of those that came with them.
        took(uri, { ...file, bytes: uri.endsWith('.cer') ? new Uint8Array(bytes) : bytes });
      }
    }
    return true;
  };

/** Returns the certificates of an authority. Each is read once, so that what was found in its resources is not compared again. */
const certificatesOf = ({ certificates }: PublishedByChild, known: KnownChild): KnownChild['certificates'] =>
  new Map(
    certificates.map(bytes => {
      const key = Buffer.from(bytes).toString('base64');
      return [key, known.certificates.get(key) ?? (decodeCertificate(bytes) as Decoded<AuthorityCertificate>)];
    }),
  );

type Validation = { memory: ChildMemory; known: KnownChild; touched: ReadonlySet<string>; now: number; take: TakeFiles };

/** Returns how to get the result of a CA: the one of before, or a new one; null if one of its files changed. @throws {ProfileError} */
function authorityValidation({
  memory,
  known,
  touched,
  now,
  take,
}: Validation): (authority: Decoded<AuthorityCertificate>) => Promise<KnownResult | null> {
  const { files } = known;
  const options = { now: new Date(now), cryptography: nodeCryptography, level: 'rfc' as const };
  const touchedFolders = new Set([...touched].map(uri => uri.slice(0, uri.lastIndexOf('/') + 1)));
  let [listed, listBytes] = [0, 0];
  const refuseTooMuch = (own: Pick<KnownResult, 'listed' | 'listBytes'>): void => {
    listed += own.listed;
    listBytes += own.listBytes;
    if (listed > MAX_LISTED) throw new ProfileError(`The manifests list more than ${MAX_LISTED} files`);
    if (listBytes > MAX_LIST_BYTES) throw new ProfileError(`Manifests and CRLs have more than ${MAX_LIST_BYTES} bytes`);
  };
  /** Validates one CA: its manifest and CRL are read, and those of its files that the cache doesn't have. Returns null if one of them changed. @throws {ProfileError} */
  const validate = async (authority: Decoded<AuthorityCertificate>): Promise<KnownResult | null> => {
    const { manifestUri, repositoryUri } = authority;
    // Only here: keeping a manifest of every customer's authority would take much memory.
    const lists = new Map<string, Listed>();
    const keep = (uri: string, file: Listed): void => void lists.set(uri, file);
    if (!(await take([manifestUri], keep))) return null;
    const uris = namesListedIn(lists.get(manifestUri)!.bytes!)
      .map(name => repositoryUri + name)
      .filter(uri => files.has(uri));
    const crls = uris.filter(uri => uri.endsWith('.crl')).slice(0, 1);
    const own = { listed: uris.length, listBytes: [manifestUri, ...crls].reduce((sum, uri) => sum + files.get(uri)!.size, 0) };
    refuseTooMuch(own);
    if (!(await take(crls, keep))) return null;
    const facts = new Map<string, FileFacts>();
    const hasRoom = memory.files.room();
    // With each file: the facts of all of them may be more than the thread has memory for.
    const takeFacts = (uri: string, found: FileFacts): void => {
      if (!hasRoom(found))
        throw new ProfileError(
          `The files of one authority have more than ${REMEMBERED} ROA payloads and providers of ASPAs, repeated ones too, so none of them counts here`,
        );
      facts.set(uri, found);
    };
    const unknown: string[] = [];
    for (const uri of uris) {
      if (uri.endsWith('.crl')) continue;
      const read = memory.files.get(memoryKey(uri, files.get(uri)!, authority));
      if (read) takeFacts(uri, read);
      else unknown.push(uri);
    }
    const read = (uri: string, file: Listed): void => {
      const found = readFile(uri, file, authority, options);
      takeFacts(uri, found);
      memory.files.set(memoryKey(uri, file, authority), found);
    };
    if (!(await take(unknown, read))) return null;
    const result = validateAuthority(authority, { get: uri => lists.get(uri) ?? files.get(uri) }, { ...options, facts });
    const until = Math.min(...[result.endsAt, result.startsAt].flatMap(time => (time === null ? [] : [Number(time)])));
    return { ...own, authority, at: now, until, result };
  };
  /** The result of before, if nothing in the directory of the CA changed since, and no time that it depends on has come. */
  const unchanged = (authority: Decoded<AuthorityCertificate>): KnownResult | null => {
    const before = known.results.get(authority.manifestUri);
    if (before?.authority !== authority || now < before.at || now >= before.until) return null;
    if (touched.has(authority.manifestUri) || touchedFolders.has(authority.repositoryUri)) return null;
    refuseTooMuch(before);
    return before;
  };

  return async authority => unchanged(authority) ?? validate(authority);
}

/**
 * Reads what an authority publishes here as a relying party does. Only files missing in the cache are requested, besides manifests and CRLs of directories in which
 * something changed, so a change costs only what changed. Returns null if a file changed meanwhile: then the authority is judged again.
 * @param child by which the thread knows the authority
 */
export async function judgeChild(
  child: string,
  published: PublishedByChild,
  { memory, supply: { listFiles, bytesOf } }: { memory: ChildMemory; supply: Supply },
): Promise<Judgement | null> {
  const brought = await bringKnown(memory, published, { child, listFiles });
  if (brought === null) return null;
  const { known, touched } = brought;
  // Until it is judged: what is half read is not known.
  memory.children.delete(child);
  const { files } = known;
  const now = published.now;
  const results = new Map<string, KnownResult>();
  const payloads = new Set<string>();
  const [problems, hints, ends, starts]: [string[], string[], number[], number[]] = [[], [], [], []];
  const inWords = (uri: string, words: string): string => `${uri.slice(uri.lastIndexOf('/') + 1)}: ${words}`;
  const resultOf = authorityValidation({ memory, known, touched, now, take: fileReading(files, bytesOf) });
  let weight = files.size;
  const certificates = certificatesOf(published, known);
  const turns = authoritiesInTurn([...certificates.values()], childLimits);
  for (let authority = turns.next(); authority !== undefined; authority = turns.next()) {
    // It may publish elsewhere, or nothing yet.
    if (!files.has(authority.manifestUri)) continue;
    try {
      const validated = await resultOf(authority);
      if (validated === null) return null;
      weight += weightOfResult(validated);
      // What is beyond the limit is not kept: the thread may not have room for the results of all CAs.
      if (weight <= memory.mostKnown) results.set(authority.manifestUri, validated);
      const { result } = validated;
      for (const vrp of result.vrps) {
        payloads.add(payloadOf(vrp));
        if (payloads.size > MAX_PAYLOADS) throw new ProfileError(`There are more than ${MAX_PAYLOADS} ROA payloads, so none counts here`);
      }
      problems.push(...result.problems.slice(0, NAMED).map(({ uri, problem }) => inWords(uri, problem)));
      hints.push(...result.hints.slice(0, NAMED).map(({ uri, hint }) => inWords(uri, hint)));
      if (result.endsAt !== null) ends.push(Number(result.endsAt));
      if (result.startsAt !== null) starts.push(Number(result.startsAt));
      turns.below(authority, result.authorities);
    } catch (error) {
      if (!(error instanceof ProfileError) && !(error instanceof RangeError)) throw error;
      problems.push(error.message);
    }
  }
  if (payloads.size > MAX_PAYLOADS) payloads.clear();
  const stored = known.judgements.find(({ changes, at }) => changes === published.judged?.changes && at === published.judged.at);
  const judgement: KnownJudgement = { changes: published.changes, at: now, payloads };
  memory.keep(child, { ...known, certificates, results, judgements: stored ? [stored, judgement] : [judgement] });
  const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): string =>
    [...some].filter(each => !others.has(each)).join('\n');
  return {
    ...(stored
      ? { payloads: without(payloads, stored.payloads), removed: without(stored.payloads, payloads) }
      : { payloads: [...payloads].join('\n'), removed: null }),
    problems: named(problems),
    hints: named(hints),
    endsAt: first(ends),
    againAt: first([...ends, ...starts]),
  };
}

const first = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.min(...times));
const named = (sentences: readonly string[]): string[] => sentences.slice(0, NAMED).map(sentence => sentence.slice(0, LONGEST));

const payloadOf = ({ prefix, asNumber, maxLength }: Vrp): string => `${printPrefix(prefix)} ${asNumber} ${maxLength}`;

/** Maximum weight of what a thread knows of authorities: an entry for each of their files, and for each payload, problem and hint in their results. */
const MAX_KNOWN = 300_000;

/** ASPAs and their providers. */
const providersOf = (aspas: readonly Aspa[]): number => aspas.reduce((sum, { providers }) => sum + 1 + providers.length, 0);

const weightOfResult = ({ result: { vrps, aspas, authorities, problems, hints } }: KnownResult): number =>
  vrps.length + providersOf(aspas) + authorities.length + problems.length + hints.length;

function weightOfKnown({ files, results, judgements }: KnownChild): number {
  let weight = files.size;
  for (const result of results.values()) weight += weightOfResult(result);
  for (const { payloads } of judgements) weight += payloads.size;
  return weight;
}

/** Memory of a thread: what it read in files, and what it knows of authorities, each without the least recently used beyond its limit. */
export type ChildMemory = {
  files: FileMemory;
  children: Map<string, KnownChild>;
  mostKnown: number;
  keep: (child: string, known: KnownChild) => void;
};

export function childMemory(most = REMEMBERED, mostKnown = MAX_KNOWN): ChildMemory {
  const children = new Map<string, KnownChild>();
  return {
    files: boundedMemory(most),
    children,
    mostKnown,
    keep: (child, known) => {
      children.delete(child);
      let weight = weightOfKnown(known);
      // It alone would be too much: others stay known.
      if (weight > mostKnown) return;
      for (const other of children.values()) weight += weightOfKnown(other);
      for (const [oldest, other] of children) {
        if (weight <= mostKnown) break;
        children.delete(oldest);
        weight -= weightOfKnown(other);
      }
      children.set(child, known);
    },
  };
}

/** Facts that were read in files, so that each is read and its signatures are checked once. `room` returns a check whether the next facts still have room beside all that it was given before. */
type FileMemory = {
  get: (key: string) => FileFacts | undefined;
  set: (key: string, facts: FileFacts) => void;
  room: () => (next: FileFacts) => boolean;
};

/** Returns a cache that evicts the least recently used entry. */
function boundedMemory(most: number): FileMemory {
  const known = new Map<string, FileFacts>();
  let weight = 0;
  const weightOf = (facts: FileFacts): number => ('vrps' in facts ? 1 + facts.vrps.length + providersOf(facts.aspas) : 1);
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
    room: () => {
      let sum = 0;
      return next => (sum += weightOf(next)) <= most;
    },
  };
}
