import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type DnsMessage,
  type DnsRecord,
  printRecord,
  recordTypes,
  type Rrsig,
  rrsigOf,
  typeName,
  wireNameOf,
} from '../../../adapters/dns/message.ts';
import { algorithmNames, forbiddenAlgorithms } from '@portal/rpsl';
import { type Dnskey, dsOf, keyTag, printDs } from '../key-material.ts';
import { failureOf } from './answer-words.ts';
import { denialProblem } from './denial.ts';
import type { Findings, Target } from './findings.ts';

const verifying = promisify(verify) as unknown as (hash: string | null, data: Buffer, key: object, signature: Buffer) => Promise<boolean>;

/** Reads a DNSKEY record. */
const dnskeyOf = ({ data }: DnsRecord): Dnskey => ({
  flags: data.readUInt16BE(0),
  protocol: data[2]!,
  algorithm: data[3]!,
  publicKey: data.subarray(4),
});

const hashes: Readonly<Record<number, string>> = { 5: 'sha1', 7: 'sha1', 8: 'sha256', 10: 'sha512', 13: 'sha256', 14: 'sha384' };

/** The parts of an RSA key (RFC 3110): exponent and modulus. */
function rsaParts(key: Buffer): { e: Buffer; n: Buffer } {
  const short = key[0] !== 0;
  const length = short ? key[0]! : key.readUInt16BE(1);
  const start = short ? 1 : 3;
  return { e: key.subarray(start, start + length), n: key.subarray(start + length) };
}

/** The key for Node's crypto; null for unknown algorithms and broken keys. */
function publicKeyOf({ algorithm, publicKey: key }: Dnskey): KeyObject | null {
  const text = (part: Buffer): string => part.toString('base64url');
  try {
    if ([5, 7, 8, 10].includes(algorithm)) {
      const { e, n } = rsaParts(key);
      return createPublicKey({ key: { kty: 'RSA', e: text(e), n: text(n) }, format: 'jwk' });
    }
    if (algorithm === 13 || algorithm === 14) {
      const half = key.length / 2;
      return createPublicKey({
        key: { kty: 'EC', crv: algorithm === 13 ? 'P-256' : 'P-384', x: text(key.subarray(0, half)), y: text(key.subarray(half)) },
        format: 'jwk',
      });
    }
    if (algorithm === 15 || algorithm === 16)
      return createPublicKey({ key: { kty: 'OKP', crv: algorithm === 15 ? 'Ed25519' : 'Ed448', x: text(key) }, format: 'jwk' });
  } catch {
    return null;
  }
  return null;
}

/**
 * Verifies a signature over a record set in canonical form (RFC 4034, sections 3.1.8.1 and 6), in a thread of Node's pool. Doesn't check its validity period.
 */
async function verifySignature(records: readonly DnsRecord[], signature: Rrsig, key: Dnskey): Promise<boolean> {
  const object = publicKeyOf(key);
  if (!object || records.length === 0) return false;
  const [{ name, type }] = records as [DnsRecord];
  const labels = name === '' ? [] : name.split('.');
  // A wildcard was expanded: it was signed as itself.
  const owner = labels.length > signature.labels ? ['*', ...labels.slice(labels.length - signature.labels)].join('.') : name;
  const head = Buffer.alloc(8);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(signature.ttl, 4);
  const parts = records
    .map(({ data }) => data)
    .toSorted((a, b) => Buffer.compare(a, b))
    .flatMap(data => [wireNameOf(owner), head, Buffer.from([data.length >> 8, data.length & 255]), data]);
  const given = key.algorithm === 13 || key.algorithm === 14 ? { key: object, dsaEncoding: 'ieee-p1363' } : object;
  try {
    return await verifying(hashes[key.algorithm] ?? null, Buffer.concat([signature.head, ...parts]), given, signature.signature);
  } catch {
    return false;
  }
}

const of = (message: DnsMessage | undefined, type: number, zone: string): DnsRecord[] =>
  message?.answers.filter(each => each.type === type && each.name === zone) ?? [];
const signaturesOver = (message: DnsMessage | undefined, type: number, zone: string): Rrsig[] =>
  signaturesIn(message?.answers ?? [], type, zone);

/** The signatures over the records of a name and type, among those of a section. */
const signaturesIn = (section: readonly DnsRecord[], type: number, name: string): Rrsig[] =>
  section
    .filter(each => each.type === recordTypes.RRSIG && each.name === name)
    .flatMap(each => {
      try {
        const found = rrsigOf(each);
        return found.covered === type ? [found] : [];
      } catch {
        return [];
      }
    });

const day = 86_400;
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
type Dnssec = Pick<CheckReport, 'keys' | 'cds' | 'signatures' | 'signaturesEnd'> & { cdsSince: string | null };

/** Follows the chain from the DS records to the SOA of the zone, on every server that answers. */
export async function checkDnssec(
  zone: string,
  ds: readonly string[],
  targets: readonly Target[],
  now: Date,
  found: Findings,
): Promise<Dnssec> {
  const good = targets.filter(({ isAuthoritative }) => isAuthoritative);
  const result: Dnssec = { keys: [], cds: [], cdsSince: null, signatures: [], signaturesEnd: null };
  checkDs(ds, found);
  const seconds = Math.floor(now.getTime() / 1000);
  const signed = good.filter(({ keys }) => of(keys.message, recordTypes.DNSKEY, zone).length > 0);
  if (good.length === 0 || !isSigned({ ds, good, signed, found })) return result;
  const problems = {
    match: new Map<string, string>(),
    keySet: new Map<string, string>(),
    soa: new Map<string, string>(),
    data: new Map<string, string>(),
    time: new Map<string, string>(),
    life: new Map<string, string>(),
    denial: new Map<string, string>(),
    algorithm: new Map<string, string>(),
  };
  const judged: Judged = { data: new Set(), time: new Set(), life: new Set(), denial: new Set(), algorithm: new Set() };
  const proofs: { server: string; proof: DnsRecord[] }[] = [];
  for (const target of signed) {
    const server = readServer({ zone, ds, target, seconds, isFirst: target === signed[0], problems, judged, result });
    if (result.keys.length === 0)
      result.keys = server.keys.map(({ tag, algorithm, flags }) => ({
        tag,
        algorithm,
        flags,
        inDs: server.matching.some(each => each.tag === tag),
      }));
    await checkChain(server);
    const overData = await checkData(server);
    checkLife(server, [...server.overKeys, ...server.overSoa, ...overData]);
    proofs.push({ server: target.server, proof: await checkDenial(server) });
    if (target === signed[0]) {
      checkKeys(server.keys, found);
      result.cds = checkCds(zone, good, server.keys, found);
    }
  }
  const report = (check: DnsCheck, wrong: ReadonlyMap<string, string>, among: Iterable<unknown> = signed, lack = ''): void =>
    found.each(
      check,
      [...wrong].map(([server, detail]) => ({ server, detail })),
      [...among],
      '',
      lack,
    );
  if (ds.length > 0 && result.cds.length > 0)
    result.cdsSince = await cdsSignedSince(zone, { ds, wanted: result.cds, targets: good, seconds });
  if (ds.length > 0) report('dsMatches', problems.match);
  report('keySignature', problems.keySet);
  report('soaSignature', problems.soa);
  report('dataSignature', problems.data, judged.data, 'No server answers for NS or PTR records');
  report('signatureTime', problems.time, judged.time, 'No server sends signatures');
  report('signatureLife', problems.life, judged.life, 'No server sends signatures');
  report('algorithmComplete', problems.algorithm, judged.algorithm, 'No server signs the SOA');
  report('denial', problems.denial, judged.denial, 'No server says that a name is missing');
  checkIterations(proofs, found);
  return result;
}

/** Says whether a zone and its delegation are signed. Returns whether there are signatures to check. */
function isSigned({
  ds,
  good,
  signed,
  found,
}: {
  ds: readonly string[];
  good: readonly Target[];
  signed: readonly Target[];
  found: Findings;
}): boolean {
  const unheard = good.filter(({ keys }) => keys.failure);
  if (signed.length === 0 && unheard.length > 0) {
    const words = unheard.map(({ server, keys }) => `${server} doesn’t answer for DNSKEY (${failureOf(keys)})`);
    if (ds.length > 0) for (const [index, { server }] of unheard.entries()) found.fail('dsSigned', words[index]!, server);
    else found.skip('signedHasDs', words.join('. '));
    return false;
  }
  if (signed.length === 0) {
    if (ds.length > 0) found.fail('dsSigned', 'The delegation has a DS, and the zone has no keys');
    else found.fail('signedHasDs', 'The zone isn’t signed. DNSSEC is optional');
    return false;
  }
  if (ds.length > 0) {
    const bare = good.filter(target => !signed.includes(target));
    found.each(
      'dsSigned',
      bare.map(({ server, keys }) => ({
        server,
        detail: keys.failure ? `${server} doesn’t answer for DNSKEY (${failureOf(keys)})` : `${server} answers without keys`,
      })),
      good,
    );
    found.pass('signedHasDs', ds.join(', '));
  } else found.fail('signedHasDs', 'The zone is signed, and the delegation has no DS');
  return true;
}

type Problems = Record<'match' | 'keySet' | 'soa' | 'data' | 'time' | 'life' | 'denial' | 'algorithm', Map<string, string>>;
/** The servers whose answers a check could judge. */
type Judged = Record<'data' | 'time' | 'life' | 'denial' | 'algorithm', Set<string>>;
type Key = Dnskey & { tag: number };
type Asked = {
  zone: string;
  ds: readonly string[];
  target: Target;
  /** The time, in seconds since 1970. */
  seconds: number;
  /** The signatures of the first server are listed. */
  isFirst: boolean;
  problems: Problems;
  judged: Judged;
  result: Dnssec;
};
type Server = ReturnType<typeof readServer>;

/** Reads keys and signatures of a server, and returns with them how its signatures are verified. */
function readServer({ zone, ds, target, seconds, isFirst, problems, judged, result }: Asked) {
  const { server } = target;
  const keyRecords = of(target.keys.message, recordTypes.DNSKEY, zone);
  const keys = keyRecords
    .map(dnskeyOf)
    .map(key => ({ ...key, tag: keyTag(keyRecords.find(({ data }) => data.subarray(4).equals(key.publicKey))!.data) }));
  const matching = keys.filter(key => ds.some(each => matchesDs(zone, key, each)));
  const overKeys = signaturesOver(target.keys.message, recordTypes.DNSKEY, zone);
  const soaMessage = target.soaUdp.message ?? target.soaTcp.message;
  const soaRecords = of(soaMessage, recordTypes.SOA, zone);
  const overSoa = signaturesOver(soaMessage, recordTypes.SOA, zone);
  const verify = async (records: readonly DnsRecord[], signatures: readonly Rrsig[], allowed: readonly Key[]) => {
    const verdicts: { signature: Rrsig; valid: boolean; inTime: boolean }[] = [];
    if (signatures.length > 0) judged.time.add(server);
    for (const signature of signatures) {
      const candidates = allowed.filter(key => key.tag === signature.tag && key.algorithm === signature.algorithm);
      const valid =
        signature.signer === zone && (await Promise.all(candidates.map(key => verifySignature(records, signature, key)))).includes(true);
      const inTime = signature.begins <= seconds && seconds <= signature.expires;
      verdicts.push({ signature, valid, inTime });
      if (!inTime)
        problems.time.set(
          server,
          signature.expires < seconds
            ? `The signature of ${typeName(signature.covered)} on ${server} ended on ${iso(signature.expires).slice(0, 16)} UTC`
            : `The signature of ${typeName(signature.covered)} on ${server} begins on ${iso(signature.begins).slice(0, 16)} UTC`,
        );
      if (isFirst)
        result.signatures.push({
          covered: typeName(signature.covered),
          tag: signature.tag,
          begins: iso(signature.begins),
          ends: iso(signature.expires),
          valid: valid && inTime,
        });
    }
    return verdicts;
  };
  return { zone, ds, target, server, seconds, problems, judged, result, keys, keyRecords, matching, overKeys, soaRecords, overSoa, verify };
}

/** Checks the chain from the DS to the key set, and from there to the SOA. */
async function checkChain({
  ds,
  server,
  problems,
  judged,
  keys,
  keyRecords,
  matching,
  overKeys,
  soaRecords,
  overSoa,
  verify,
}: Server): Promise<void> {
  const [keyVerdicts, soaVerdicts] = await Promise.all([verify(keyRecords, overKeys, keys), verify(soaRecords, overSoa, keys)]);
  if (ds.length > 0) {
    const anchors = keyVerdicts.filter(
      ({ signature, valid }) => valid && matching.some(({ tag, algorithm }) => tag === signature.tag && algorithm === signature.algorithm),
    );
    if (matching.length === 0)
      problems.match.set(
        server,
        `No key on ${server} matches the DS ${ds.map(each => each.split(' ')[0]).join(', ')}: its keys are ${keys.map(({ tag }) => tag).join(', ')}`,
      );
    else if (anchors.length === 0)
      problems.match.set(server, `The key ${matching.map(({ tag }) => tag).join(', ')} of the DS doesn’t sign the key set on ${server}`);
  }
  if (!keyVerdicts.some(({ valid }) => valid))
    problems.keySet.set(
      server,
      overKeys.length === 0 ? `The key set on ${server} has no signature` : `No signature of the key set on ${server} is valid`,
    );
  if (!soaVerdicts.some(({ valid }) => valid))
    problems.soa.set(
      server,
      overSoa.length === 0 ? `The SOA on ${server} has no signature` : `No signature of the SOA on ${server} is valid`,
    );
  const wanted = new Set(ds.length > 0 ? ds.map(each => Number(each.split(' ')[1])) : keys.map(({ algorithm }) => algorithm));
  const used = new Set(overSoa.map(({ algorithm }) => algorithm));
  const lacking = [...wanted].filter(each => !used.has(each) && !forbiddenAlgorithms[each]);
  if (overSoa.length > 0) judged.algorithm.add(server);
  if (lacking.length > 0 && overSoa.length > 0)
    problems.algorithm.set(server, `${server} has no signature of algorithm ${lacking.join(', ')}`);
}

/** Checks the signatures over NS records, and over a PTR if there is one. Returns them. */
async function checkData({ zone, target, server, problems, judged, keys, verify }: Server): Promise<Rrsig[]> {
  const sets = [
    { what: 'the NS records', message: target.ns.message, type: recordTypes.NS, name: zone },
    ...target.samples
      .filter(({ name, result: { message } }) => of(message, recordTypes.PTR, name).length > 0)
      .slice(0, 1)
      .map(({ name, result: { message } }) => ({ what: `the PTR of ${name}`, message, type: recordTypes.PTR, name })),
  ];
  const overData: Rrsig[] = [];
  for (const { what, message, type, name } of sets) {
    const records = of(message, type, name);
    if (records.length === 0) continue;
    judged.data.add(server);
    const signatures = signaturesOver(message, type, name);
    overData.push(...signatures);
    if (!(await verify(records, signatures, keys)).some(({ valid }) => valid))
      problems.data.set(
        server,
        signatures.length === 0 ? `${server} answers ${what} without a signature` : `No signature of ${what} on ${server} is valid`,
      );
  }
  return overData;
}

/** Checks when signatures end, and how long they last. */
function checkLife({ server, seconds, problems, judged, result }: Server, all: readonly Rrsig[]): void {
  const ends = Math.min(...all.map(({ expires }) => expires));
  if (all.length > 0) {
    judged.life.add(server);
    if (result.signaturesEnd === null || iso(ends) < result.signaturesEnd) result.signaturesEnd = iso(ends);
    const longest = Math.max(...all.map(({ begins, expires }) => expires - begins));
    if (ends > seconds && ends - seconds < 3 * day)
      problems.life.set(server, `Signatures on ${server} end on ${iso(ends).slice(0, 16)} UTC`);
    else if (longest > 180 * day) problems.life.set(server, `Signatures on ${server} last ${Math.round(longest / day)} days`);
  }
}

/** Checks the proof that a name does not exist. Returns its records. */
async function checkDenial({ zone, target, server, problems, judged, keys, verify }: Server): Promise<DnsRecord[]> {
  const { message } = target.missing;
  const proof = message?.authority.filter(({ type }) => type === recordTypes.NSEC || type === recordTypes.NSEC3) ?? [];
  if (message && message.answers.length === 0) {
    judged.denial.add(server);
    const lacks = denialProblem(zone, message);
    if (lacks !== null) problems.denial.set(server, `${server} ${lacks}`);
    else
      for (const [name, records] of Map.groupBy(proof, each => each.name)) {
        const signatures = signaturesIn(message.authority, records[0]!.type, name);
        if (!(await verify(records, signatures, keys)).some(({ valid }) => valid))
          problems.denial.set(
            server,
            signatures.length === 0
              ? `${server} answers for a missing name with ${typeName(records[0]!.type)} without a signature`
              : `No signature of the ${typeName(records[0]!.type)} on ${server} is valid`,
          );
      }
  }
  return proof;
}

/** Checks the iterations of NSEC3 on each server that sent a proof. */
function checkIterations(proofs: readonly { server: string; proof: readonly DnsRecord[] }[], found: Findings): void {
  const sent = proofs.filter(({ proof }) => proof.length > 0);
  const most = new Map<string, number>();
  for (const { server, proof } of sent)
    for (const { type, data } of proof)
      if (type === recordTypes.NSEC3 && data.length >= 4) most.set(server, Math.max(most.get(server) ?? 0, data.readUInt16BE(2)));
  found.each(
    'nsec3Iterations',
    [...most].filter(([, count]) => count > 0).map(([server, count]) => ({ server, detail: `${count} iterations` })),
    sent,
    most.size > 0 ? 'NSEC3 without iterations' : 'NSEC',
    'No server proves that a name is missing',
  );
}

function matchesDs(zone: string, key: Dnskey, text: string): boolean {
  const [, , type] = text.split(' ');
  const ds = dsOf(zone, key, Number(type));
  return ds !== null && printDs(ds) === text.toUpperCase();
}

function checkDs(ds: readonly string[], found: Findings): void {
  if (ds.length === 0) return;
  const types = ds.map(each => Number(each.split(' ')[2]));
  const unknown = types.filter(type => ![1, 2, 4].includes(type));
  if (unknown.length > 0) found.fail('dsDigest', `Digest type ${unknown.join(', ')} isn’t known`);
  else found.pass('dsDigest');
  if (types.includes(1)) found.fail('dsSha1', 'A DS uses digest type 1 (SHA-1)');
  else found.pass('dsSha1');
}

function checkKeys(keys: readonly (Dnskey & { tag: number })[], found: Findings): void {
  const old = keys.filter(
    ({ algorithm }) =>
      forbiddenAlgorithms[algorithm] !== undefined || algorithm === 5 || algorithm === 7 || algorithmNames[algorithm] === undefined,
  );
  if (old.length > 0)
    found.fail(
      'algorithmAllowed',
      old.map(({ tag, algorithm }) => `Key ${tag} uses algorithm ${algorithm} (${algorithmNames[algorithm] ?? 'unknown'})`).join(', '),
    );
  else found.pass('algorithmAllowed', [...new Set(keys.map(({ algorithm }) => algorithmNames[algorithm]!))].join(', '));
  const short = keys.filter(({ algorithm, publicKey }) => [5, 7, 8, 10].includes(algorithm) && rsaParts(publicKey).n.length * 8 < 2048);
  if (short.length > 0)
    found.fail('keySize', short.map(({ tag, publicKey }) => `Key ${tag} has ${rsaParts(publicKey).n.length * 8} bits`).join(', '));
  else found.pass('keySize');
}

const deletion = '0 0 0 00';

/** The DS records that a server's CDS asks for, else its CDNSKEY, as SHA-256. */
function wishOf(zone: string, { cds, cdnskey }: Target): { cds: string[]; cdnskey: string[] } {
  return {
    cds: of(cds.message, recordTypes.CDS, zone).map(record => printRecord(record).split(' CDS ')[1]!.toUpperCase()),
    cdnskey: of(cdnskey.message, recordTypes.CDNSKEY, zone).flatMap(record => {
      const key = dnskeyOf(record);
      const made = key.algorithm === 0 ? null : dsOf(zone, key);
      return key.algorithm === 0 ? [deletion] : made ? [printDs(made)] : [];
    }),
  };
}

/** DS records requested by CDS and CDNSKEY; valid only if every server has the same, and both mean the same keys (RFC 7344, section 4). */
function checkCds(zone: string, targets: readonly Target[], keys: readonly (Dnskey & { tag: number })[], found: Findings): string[] {
  const isHeard = ({ cds, cdnskey }: Target): boolean => cds.message?.code === 0 && cdnskey.message?.code === 0;
  const heard = targets.filter(isHeard);
  if (heard.length === 0) {
    found.skip('cds', 'No server answers for CDS and CDNSKEY');
    return [];
  }
  const wishes = heard.map(target => wishOf(zone, target));
  const sets = wishes.map(({ cds, cdnskey }) => (cds.length > 0 ? cds : cdnskey).toSorted());
  const [first = []] = sets;
  if (sets.every(set => set.length === 0)) {
    found.pass('cds', 'No CDS records');
    return [];
  }
  if (sets.some(set => set.includes(deletion) && set.length > 1)) {
    found.fail('cds', 'CDS asks for the removal of the DS and for keys at the same time');
    return [];
  }
  if (sets.some(set => set.join() !== first.join())) {
    found.fail('cds', 'The servers have different CDS records');
    return [];
  }
  const tagsOf = (set: readonly string[]): string => [...new Set(set.map(each => each.split(' ')[0]!))].toSorted().join();
  if (wishes.some(({ cds, cdnskey }) => cds.length > 0 && cdnskey.length > 0 && tagsOf(cds) !== tagsOf(cdnskey))) {
    found.fail('cds', 'CDS and CDNSKEY ask for different keys');
    return [];
  }
  const isDelete = first.length === 1 && first[0] === deletion;
  const lost = isDelete ? [] : first.filter(each => !keys.some(key => matchesDs(zone, key, each)));
  if (lost.length > 0) found.fail('cds', `CDS ${lost.map(each => each.split(' ')[0]).join(', ')} matches no key of the zone`);
  else found.pass('cds', isDelete ? 'Asks for the removal of the DS' : `Asks for ${first.map(each => each.split(' ')[0]).join(', ')}`);
  return first;
}

/**
 * When the requested DS records were signed: on every server, with a key of the present DS that also signs the key set, while the requested DS match
 * a key that signs the key set (RFC 7344, section 4.1). Null if they can't be followed.
 */
async function cdsSignedSince(
  zone: string,
  { ds, wanted, targets, seconds }: { ds: readonly string[]; wanted: readonly string[]; targets: readonly Target[]; seconds: number },
): Promise<string | null> {
  const isDelete = wanted.length === 1 && wanted[0] === deletion;
  let since = 0;
  for (const { keys: answer, cds, cdnskey } of targets) {
    const keyRecords = of(answer.message, recordTypes.DNSKEY, zone);
    const keys = keyRecords.map(record => ({ ...dnskeyOf(record), tag: keyTag(record.data) }));
    if (!isDelete && !wanted.every(each => keys.some(key => matchesDs(zone, key, each)))) return null;
    /** Returns the inception of the newest valid signature by these keys over a record set, or null. */
    const signedBy = async (
      records: readonly DnsRecord[],
      signatures: readonly Rrsig[],
      given: readonly string[],
    ): Promise<number | null> => {
      const anchors = keys.filter(key => given.some(each => matchesDs(zone, key, each)));
      const begins: number[] = [];
      for (const signature of signatures) {
        if (signature.signer !== zone || signature.begins > seconds || signature.expires < seconds) continue;
        const candidates = anchors.filter(key => key.tag === signature.tag && key.algorithm === signature.algorithm);
        const verdicts = await Promise.all(candidates.map(key => verifySignature(records, signature, key)));
        if (verdicts.includes(true)) begins.push(signature.begins);
      }
      return begins.length > 0 ? Math.max(...begins) : null;
    };
    const overKeys = signaturesOver(answer.message, recordTypes.DNSKEY, zone);
    if ((await signedBy(keyRecords, overKeys, ds)) === null) return null;
    if (!isDelete && (await signedBy(keyRecords, overKeys, wanted)) === null) return null;
    const hasCds = of(cds.message, recordTypes.CDS, zone).length > 0;
    const [message, type] = hasCds ? [cds.message, recordTypes.CDS] : [cdnskey.message, recordTypes.CDNSKEY];
    const begins = await signedBy(of(message, type, zone), signaturesOver(message, type, zone), ds);
    if (begins === null) return null;
    since = Math.max(since, begins);
  }
  return since === 0 ? null : iso(since);
}
