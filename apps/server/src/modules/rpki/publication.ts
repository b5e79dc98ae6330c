import { HOUR_MS } from '@portal/contract/days';
import {
  containsResource,
  containsSet,
  emptySet,
  isEmptySet,
  listResources,
  parsePrefix,
  parseResource,
  printResource,
  type ResourceSet,
  resourceSetOf,
} from '@portal/number-resources';
import {
  type AuthorityCertificate,
  type Decoded,
  decodeCertificate,
  decodeCrl,
  judgeAuthority,
  judgeChecklist,
  judgeTrustAnchor,
  type PublishedFile,
} from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { certifiedAspas, type KeptAspa, printAspa } from './aspas.ts';
import { type Authority, authoritiesOf, rootAuthorities } from './authorities.ts';
import { dueChecklists, storeChecklists } from './checklist-signing.ts';
import { nodeCryptography } from './cryptography.ts';
import {
  backdatedMs,
  certificateUri,
  type Draft,
  type Drafting,
  draftAspa,
  draftCertificate,
  draftChecklist,
  draftCrl,
  draftManifest,
  draftRoa,
  type Issue,
  type OwnedKey,
  type Product,
  rootResources,
  signDrafts,
} from './drafts.ts';
import { type Due, findDue, refreshMs, renewCertificateMs, renewObjectMs, rolloverMs } from './due-authorities.ts';
import { addKey, destroyKeys, type KeyRow, keysOf, setKeyState } from './keys.ts';
import { noticeLostRoas } from './lost-roas.ts';
import type { OneTimeKeys } from './one-time-keys.ts';
import { directoryOf, type Places } from './places.ts';
import { type KeptRoa, printRoa } from './roa-changes.ts';
import { groupRoas } from './roa-groups.ts';
import { type FileChange, recordPublication } from './rrdp-records.ts';
import type { CaSigner } from './signer.ts';

/** A file as it is published, without its bytes. */
type StoredFile = {
  uri: string;
  keyId: number;
  kind: string;
  sha256: Uint8Array;
  serial: string | null;
  notAfter: string | null;
  roaIds: string[];
  subject: string;
};

/** A key while a publication is put together. */
type Work = {
  row: KeyRow;
  key: OwnedKey;
  /** Null for the trust anchor. */
  issuer: Work | null;
  /** Signed files to publish, including its manifest and CRL. */
  files: Map<string, StoredFile>;
  /** Serial numbers it takes back. */
  revoked: string[];
  drafts: Draft[];
  issue: Issue | null;
  /** It needs a new CRL and manifest. */
  isTouched: boolean;
  /** Its own certificate is made anew, so all it signed is looked at again. */
  isRecertified: boolean;
  /** Nothing of it is published any more. */
  isGone: boolean;
};

/** Result of a publication. */
export type Publication = {
  sessionId: string;
  serial: number;
  files: FileChange[];
  /** ROAs that are not published any more because their prefix is not certified: by account. */
  lost: Map<string, KeptRoa[]>;
};

type Tools = { signer: CaSigner; oneTimeKeys: OneTimeKeys; places: Places };
type Desk = Tools & {
  change: Change;
  drafting: Drafting;
  now: Date;
  works: Work[];
  removed: Map<string, StoredFile>;
  lost: Publication['lost'];
};

/**
 * Brings the repository in line with what members want and the ledger says: whatever changed, and whatever would end soon. New and removed files,
 * revocations, CRLs, manifests and the RRDP serial are one transaction, whose reads are all of one instant. Nothing is kept that a relying party would
 * refuse. Answers null where no file changed.
 * @throws OutOfKeys when more one-time keys are needed than are at hand
 */
export async function publishIn(change: Change, tools: Tools): Promise<Publication | null> {
  const now = new Date(Math.floor(Date.parse(change.now) / 1000) * 1000);
  const due = await findDue(change, now);
  const desk: Desk = { ...tools, change, now, drafting: { places: tools.places, now }, works: [], removed: new Map(), lost: new Map() };
  const { registry } = await rootWorks(desk);
  await memberWorks(desk, due, registry);
  await change.rows(sql`delete from rpki_due where due_id = any(${due.dueIds}::bigint[])`);

  const signed = await sign(desk);
  if (signed.length + desk.removed.size === 0) return null;
  const products = signed.filter(({ product }) => product.kind !== 'checklist').map(({ product }) => product);
  await judge(desk, products);
  await handOut(
    desk,
    signed.filter(({ product }) => product.kind === 'checklist'),
    products,
  );
  if (products.length + desk.removed.size === 0) return null;
  for (const [accountName, roas] of desk.lost) await change.enqueue(noticeLostRoas, { accountName, roas: roas.map(printRoa) });
  return { ...(await store(desk, products)), lost: desk.lost };
}

/** The trust anchor and the registry's authority, made when there are none. */
async function rootWorks(desk: Desk): Promise<{ trustAnchor: Work; registry: Work }> {
  const { change } = desk;
  const roots = await rootAuthorities(change);
  const rows = await keysOf(change, [roots.trustAnchor.caId, roots.registry.caId]);
  const workOf = async (authority: Authority, issuer: Work | null): Promise<Work> => {
    const row =
      rows.find(({ caId, state }) => caId === authority.caId && state === 'current') ?? (await newKey(desk, authority, 'current'));
    const work = await openWork(desk, row, authority, issuer);
    certify(desk, work, rootResources);
    return work;
  };
  const trustAnchor = await workOf(roots.trustAnchor, null);
  refusePlacesElsewhere(trustAnchor, desk.places);
  return { trustAnchor, registry: await workOf(roots.registry, trustAnchor) };
}

const newKey = async ({ change, signer }: Desk, { caId }: Authority, state: KeyRow['state']): Promise<KeyRow> => {
  const [made] = await signer.createKeys(1);
  return addKey(change, { caId, state, made: made! });
};

/** Every certificate names its place: another setting would leave all of them behind. */
function refusePlacesElsewhere({ row, key }: Work, places: Places): void {
  if (!row.certificate) return;
  const { repositoryUri } = decodeCertificate(row.certificate) as Decoded<AuthorityCertificate>;
  if (repositoryUri !== directoryOf(places, key.authority))
    throw new Error(
      `RPKI_RSYNC_BASE is ${places.rsync}, but the trust anchor publishes in ${repositoryUri}. Set it back: every certificate names it.`,
    );
}

async function openWork(desk: Desk, row: KeyRow, authority: Authority, issuer: Work | null, files?: readonly StoredFile[]): Promise<Work> {
  const key: OwnedKey = { authority, publicKey: row.publicKey, keyIdentifier: row.keyIdentifier, sealed: row.sealedPrivate };
  const stored = files ?? (await filesOf(desk.change, [row.keyId]));
  const [manifest] = await desk.change.rows<{ number: number; thisUpdate: string; nextUpdate: string }>(
    sql`select number, this_update, next_update from rpki_manifest where key_id = ${row.keyId}`,
  );
  const work: Work = {
    row,
    key,
    issuer,
    files: new Map(stored.map(file => [file.uri, file])),
    revoked: [],
    drafts: [],
    issue: manifest
      ? { number: manifest.number, thisUpdate: new Date(manifest.thisUpdate), nextUpdate: new Date(manifest.nextUpdate) }
      : null,
    isTouched: !manifest || Date.parse(manifest.nextUpdate) < desk.now.getTime() + refreshMs,
    isRecertified: false,
    isGone: false,
  };
  desk.works.push(work);
  return work;
}

const filesOf = (change: Change, keyIds: readonly number[]): Promise<StoredFile[]> =>
  change.rows<StoredFile>(sql`select uri, key_id, kind, sha256, serial, not_after, roa_ids::text[] as roa_ids, subject from rpki_object
    where key_id = any(${keyIds}::bigint[])`);

const uriOf = (work: Work, places: Places): string => certificateUri(work.key, work.issuer?.key ?? null, places);
const issuerUriOf = (work: Work, places: Places): string => (work.issuer ? uriOf(work.issuer, places) : uriOf(work, places));
const textOf = (resources: ResourceSet): string[] => listResources(resources).map(printResource);

/** Has the certificate of a key made anew where it is for other resources, ends soon, or names other places. */
function certify(desk: Desk, work: Work, resources: ResourceSet): void {
  const { row, issuer } = work;
  const wanted = textOf(resources);
  const isRight =
    row.certificate !== null &&
    row.resources.join() === wanted.join() &&
    Date.parse(row.notAfter!) > desk.now.getTime() + renewCertificateMs &&
    (decodeCertificate(row.certificate) as Decoded<AuthorityCertificate>).notificationUri === desk.places.notification;
  if (isRight) return;
  const signer = issuer ?? work;
  const given = { issuer: issuer?.key ?? null, issuerUri: issuerUriOf(work, desk.places), resources };
  signer.drafts.push(draftCertificate(work.key, given, desk.drafting));
  revokeFile(signer, signer.files.get(uriOf(work, desk.places)));
  signer.isTouched = true;
  work.isRecertified = true;
  row.resources = wanted;
}

/** Takes a file's certificate back; the file itself goes or is replaced. */
function revokeFile(signer: Work, file: StoredFile | undefined): void {
  if (file?.serial) signer.revoked.push(file.serial);
  if (file) signer.isTouched = true;
}

function removeFile(desk: Desk, work: Work, file: StoredFile | undefined): void {
  if (!file) return;
  work.files.delete(file.uri);
  desk.removed.set(file.uri, file);
}

/** Brings members' authorities in line. */
async function memberWorks(desk: Desk, { accountNames }: Due, registry: Work): Promise<void> {
  const { change } = desk;
  const authorities = await authoritiesOf(change, accountNames);
  if (authorities.length === 0) return;
  const rows = Map.groupBy(
    await keysOf(
      change,
      authorities.map(({ caId }) => caId),
    ),
    ({ caId }) => caId,
  );
  const files = Map.groupBy(
    await filesOf(
      change,
      [...rows.values()].flat().map(({ keyId }) => keyId),
    ),
    ({ keyId }) => keyId,
  );
  const roas = Map.groupBy(
    await change.rows<
      KeptRoa & { accountName: string }
    >(sql`select account_name, roa_id::text, prefix::text, asn, max_length, comment, created_at from roa
      where account_name = any(${accountNames}::text[]) order by family(prefix), prefix, asn`),
    ({ accountName }) => accountName,
  );
  const aspas = Map.groupBy(
    await change.rows<Pick<KeptAspa, 'customer' | 'providers'> & { accountName: string }>(
      sql`select account_name, customer, providers from aspa where account_name = any(${accountNames}::text[]) order by customer`,
    ),
    ({ accountName }) => accountName,
  );
  const checklists = await dueChecklists(change, accountNames);
  const held = await holdingsOf(change, accountNames);
  const open = new Set(
    (
      await change.rows<{ accountName: string }>(
        sql`select account_name from account where account_name = any(${accountNames}::text[]) and account_status = 'open'`,
      )
    ).map(({ accountName }) => accountName),
  );
  for (const authority of authorities) {
    const accountName = authority.accountName!;
    const resources = authority.state === 'active' && open.has(accountName) ? held.get(accountName)! : emptySet;
    const own = rows.get(authority.caId) ?? [];
    const open1 = (row: KeyRow): Promise<Work> => openWork(desk, row, authority, registry, files.get(row.keyId) ?? []);
    if (isEmptySet(resources)) {
      for (const row of own) withdraw(desk, await open1(row));
      if (authority.state === 'revoked')
        await destroyKeys(
          change,
          own.map(({ keyId }) => keyId),
        );
      noteLost(
        desk,
        accountName,
        roas.get(accountName) ?? [],
        own.flatMap(({ keyId }) => files.get(keyId) ?? []),
      );
      continue;
    }
    if (own.length === 0) own.push(await newKey(desk, authority, 'current'));
    const gone = await rollOver(desk, authority, own);
    for (const row of own) {
      const work = await open1(row);
      if (gone.has(row.keyId)) {
        withdraw(desk, work);
        await destroyKeys(change, [row.keyId]);
        continue;
      }
      certify(desk, work, resources);
      const wanted = (roas.get(accountName) ?? []).filter(({ prefix }) => containsResource(resources, parsePrefix(prefix)));
      if (row.state === 'current')
        noteLost(
          desk,
          accountName,
          (roas.get(accountName) ?? []).filter(roa => !wanted.includes(roa)),
          [...work.files.values()],
        );
      reconcileRoas(desk, work, row.state === 'current' ? wanted : []);
      reconcileAspas(desk, work, row.state === 'current' ? certifiedAspas(aspas.get(accountName) ?? [], resources) : []);
      for (const { serial } of checklists.toRevoke.get(row.keyId) ?? []) {
        work.revoked.push(serial);
        work.isTouched = true;
      }
      for (const checklist of row.state === 'current' ? (checklists.toSign.get(accountName) ?? []) : [])
        if (containsSet(resources, resourceSetOf(checklist.resources.map(parseResource))))
          work.drafts.push(draftChecklist(work.key, checklist, issuingOf(desk, work), desk.drafting));
    }
  }
}

/** The steps of a key rollover that are due (RFC 6489, section 2). Answers the keys that are to go. */
async function rollOver(desk: Desk, authority: Authority, own: KeyRow[]): Promise<Set<number>> {
  const { change, now } = desk;
  const { rolloverRequestedAt, activationRequestedAt } = authority;
  const current = own.find(({ state }) => state === 'current')!;
  const next = own.find(({ state }) => state === 'new');
  const isOver = (row: KeyRow): boolean => row.state === 'old' && Date.parse(row.stateSince) + rolloverMs <= now.getTime();
  const gone = new Set(own.filter(isOver).map(({ keyId }) => keyId));
  if (next && activationRequestedAt !== null && activationRequestedAt > next.createdAt) {
    // What is still there of a rollover before makes way.
    for (const row of own) if (row.state === 'old') gone.add(row.keyId);
    await destroyKeys(change, [...gone]);
    await setKeyState(change, current, 'old');
    await setKeyState(change, next, 'current');
  } else if (!next && rolloverRequestedAt !== null && own.every(({ createdAt }) => createdAt < rolloverRequestedAt)) {
    own.push(await newKey(desk, authority, 'new'));
  }
  return gone;
}

/** Takes everything back that a key published, and its certificate. */
function withdraw(desk: Desk, work: Work): void {
  work.isGone = true;
  work.isTouched = false;
  const published = [...work.files.values()];
  for (const file of published) {
    if (file.serial) work.revoked.push(file.serial);
    removeFile(desk, work, file);
  }
  const certificate = work.issuer!.files.get(uriOf(work, desk.places));
  if (certificate) {
    revokeFile(work.issuer!, certificate);
    removeFile(desk, work.issuer!, certificate);
  }
  work.row.resources = [];
}

/** ROAs of these that were published until now. */
function noteLost({ lost }: Desk, accountName: string, roas: readonly KeptRoa[], files: readonly StoredFile[]): void {
  const published = new Set(files.flatMap(({ roaIds }) => roaIds));
  const gone = roas.filter(({ roaId }) => published.has(roaId));
  if (gone.length > 0) lost.set(accountName, gone);
}

/** Returns the options with which a key signs one object. A certificate that is being made lasts longer than any object. */
const issuingOf = (desk: Desk, work: Work) => ({
  oneTimeKey: desk.oneTimeKeys.take(),
  issuerUri: uriOf(work, desk.places),
  issuerEnds: work.isRecertified ? null : new Date(work.row.notAfter!),
});

/** Adds objects for ROAs that have none and removes those of others. Objects that are right and last stay as they are. */
function reconcileRoas(desk: Desk, work: Work, wanted: readonly KeptRoa[]): void {
  const present = new Map(
    [...work.files.values()].filter(({ kind }) => kind === 'roa').map(file => [[...file.roaIds].sort().join(), file]),
  );
  const isAggregated = [...present.values()].some(({ roaIds }) => roaIds.length > 1);
  for (const group of groupRoas(wanted, isAggregated)) {
    const id = group
      .map(({ roaId }) => roaId)
      .sort()
      .join();
    const file = present.get(id);
    if (file && Date.parse(file.notAfter!) > desk.now.getTime() + renewObjectMs) {
      present.delete(id);
      continue;
    }
    work.drafts.push(draftRoa(work.key, group, issuingOf(desk, work), desk.drafting));
    work.isTouched = true;
  }
  for (const file of present.values()) {
    revokeFile(work, file);
    removeFile(desk, work, file);
  }
}

/** The same for provider authorisations: an object for each, by the list that it says. */
function reconcileAspas(desk: Desk, work: Work, wanted: readonly Pick<KeptAspa, 'customer' | 'providers'>[]): void {
  const present = new Map([...work.files.values()].filter(({ kind }) => kind === 'aspa').map(file => [file.subject, file]));
  for (const aspa of wanted) {
    const said = printAspa(aspa);
    const file = present.get(said);
    if (file && Date.parse(file.notAfter!) > desk.now.getTime() + renewObjectMs) {
      present.delete(said);
      continue;
    }
    work.drafts.push(draftAspa(work.key, aspa, issuingOf(desk, work), desk.drafting));
    work.isTouched = true;
  }
  for (const file of present.values()) {
    revokeFile(work, file);
    removeFile(desk, work, file);
  }
}

/** Signs certificates, ROAs and checklists, then CRLs, then the manifests over all of them. */
async function sign(desk: Desk): Promise<Made[]> {
  const { change, now, places } = desk;
  const made = await signFor(desk, work => work.drafts);
  const touched = desk.works.filter(({ isTouched, isGone }) => isTouched && !isGone);
  for (const work of touched) work.issue = nextIssue(work.issue, now);
  await recordCertificates(desk, made);
  const revoked = Map.groupBy(
    await change.rows<{ keyId: number; serial: string; revokedAt: string }>(sql`select key_id, serial, revoked_at from rpki_certificate
      where key_id = any(${touched.map(({ row }) => row.keyId)}::bigint[]) and revoked_at is not null and not_after > ${change.now}::timestamptz`),
    ({ keyId }) => keyId,
  );
  const crls = await signFor({ ...desk, works: touched }, work => [
    draftCrl(
      work.key,
      (revoked.get(work.row.keyId) ?? []).map(({ serial, revokedAt }) => ({ serial, revokedAt: new Date(revokedAt) })),
      work.issue!,
      places,
    ),
  ]);
  const manifests = await signFor({ ...desk, works: touched }, work => {
    const listed = [...work.files.values()].filter(({ kind }) => kind !== 'manifest' && kind !== 'trust-anchor');
    return [
      draftManifest(work.key, listed, work.issue!, { oneTimeKey: desk.oneTimeKeys.take(), issuerUri: uriOf(work, places) }, desk.drafting),
    ];
  });
  await recordIssued(change, manifests);
  return [...made, ...crls, ...manifests];
}

type Made = { work: Work; product: Product };

async function signFor({ signer, works }: Pick<Desk, 'signer' | 'works'>, draftsOf: (work: Work) => readonly Draft[]): Promise<Made[]> {
  const drafts = works.flatMap(work => draftsOf(work).map(draft => ({ work, draft })));
  const products = await signDrafts(
    signer,
    drafts.map(({ draft }) => draft),
  );
  return products.map((product, index) => {
    const { work } = drafts[index]!;
    const { uri, kind, sha256, serial, notAfter, roaIds, subject } = product;
    if (kind !== 'checklist')
      work.files.set(uri, { uri, keyId: work.row.keyId, kind, sha256, serial, notAfter: notAfter.toISOString(), roaIds, subject });
    return { work, product };
  });
}

/** The next number, a moment later than the last one: relying parties ignore what is not newer. It begins in the past for slow clocks. */
function nextIssue(last: Issue | null, now: Date): Issue {
  const thisUpdate = new Date(Math.max(now.getTime() - backdatedMs, (last?.thisUpdate.getTime() ?? 0) + 1000));
  // A day and up to four hours, so that not all end together.
  const jitter = Math.floor(Math.random() * 4 * 3600) * 1000;
  return { number: (last?.number ?? 0) + 1, thisUpdate, nextUpdate: new Date(now.getTime() + 24 * HOUR_MS + jitter) };
}

/** Notes what was issued and what is taken back, before the CRLs are made. */
async function recordCertificates({ change, works, now }: Desk, made: readonly Made[]): Promise<void> {
  await recordIssued(change, made);
  for (const work of works) {
    // Of the manifest that is replaced now too.
    if (work.isTouched) for (const file of work.files.values()) if (file.kind === 'manifest') work.revoked.push(file.serial!);
    if (work.revoked.length === 0) continue;
    await change.rows(sql`update rpki_certificate set revoked_at = ${(work.issue?.thisUpdate ?? now).toISOString()}::timestamptz
      where key_id = ${work.row.keyId} and serial = any(${work.revoked}::text[]) and revoked_at is null`);
  }
  await change.rows(sql`delete from rpki_certificate where key_id = any(${works.map(({ row }) => row.keyId)}::bigint[])
    and not_after < ${change.now}::timestamptz`);
}

async function recordIssued(change: Change, made: readonly Made[]): Promise<void> {
  const issued = made.filter(({ product }) => product.serial !== null && product.kind !== 'trust-anchor');
  await change.rows(sql`insert into rpki_certificate (key_id, serial, not_after) select * from unnest(
    ${issued.map(({ work }) => work.row.keyId)}::bigint[], ${issued.map(({ product }) => product.serial)}::text[],
    ${issued.map(({ product }) => product.notAfter.toISOString())}::timestamptz[])`);
}

/** @throws Error with what a relying party would refuse: a defect of ours, which must not be published */
async function judge(desk: Desk, products: readonly Product[]): Promise<void> {
  const judging = { now: desk.now, cryptography: nodeCryptography };
  const bytes = new Map(products.map(({ uri, content }) => [uri, content]));
  const problems: string[] = [];
  for (const work of desk.works) {
    const own = bytes.get(uriOf(work, desk.places));
    if (work.isGone || (!work.isTouched && own === undefined)) continue;
    const certificate = decodeCertificate(own ?? work.row.certificate!) as Decoded<AuthorityCertificate>;
    if (work.issuer === null && own) judgeTrustAnchor(own, work.row.publicKey, judging);
    const files = new Map<string, PublishedFile>(
      [...work.files].map(([uri, { sha256 }]) => [uri, { sha256, bytes: bytes.get(uri) ?? null }]),
    );
    // Another certificate may not cover what was right before; the CRL and manifest are needed in any case.
    const isReadWhole = work.isRecertified && work.key.authority.kind === 'member';
    const missing = [...files]
      .filter(([uri, file]) => file.bytes === null && (isReadWhole || /\.(?:crl|mft)$/.test(uri)))
      .map(([uri]) => uri);
    if (missing.length > 0)
      for (const row of await desk.change.rows<{ uri: string; content: Buffer }>(
        sql`select uri, content from rpki_object where uri = any(${missing}::text[])`,
      ))
        files.set(row.uri, { ...files.get(row.uri)!, bytes: row.content });
    problems.push(...judgeAuthority(certificate, files, judging).problems.map(({ uri, problem }) => `${uri}: ${problem}`));
  }
  if (problems.length > 0)
    throw new Error(`The publication would be refused by validators, so it was not made. ${problems.slice(0, 5).join('; ')}`);
}

/** Keeps checklists for those who asked for them, after reading each as a relying party does. @throws Error with what it would refuse */
async function handOut(desk: Desk, signed: readonly Made[], products: readonly Product[]): Promise<void> {
  if (signed.length === 0) return;
  const made = new Map(products.map(({ uri, content }) => [uri, content]));
  for (const { work, product } of signed) {
    const crlUri = [...work.files.values()].find(({ kind }) => kind === 'crl')!.uri;
    const [stored] = made.has(crlUri)
      ? []
      : await desk.change.rows<{ content: Buffer }>(sql`select content from rpki_object where uri = ${crlUri}`);
    const issuer = {
      certificate: decodeCertificate(made.get(uriOf(work, desk.places)) ?? work.row.certificate!) as Decoded<AuthorityCertificate>,
      crl: decodeCrl(made.get(crlUri) ?? stored!.content),
      crlUri,
    };
    judgeChecklist(product.content, issuer, { now: desk.now, cryptography: nodeCryptography });
  }
  await storeChecklists(
    desk.change,
    signed.map(({ work, product }) => ({ keyId: work.row.keyId, product })),
  );
}

/** Keeps the files, the numbers and the certificates, and gives the publication its serial. */
async function store(desk: Desk, products: readonly Product[]): Promise<Omit<Publication, 'lost'>> {
  const { change, works, removed } = desk;
  const before = new Map(
    (
      await change.rows<{ uri: string; sha256: Buffer }>(
        sql`select uri, sha256 from rpki_object where uri = any(${[...products.map(({ uri }) => uri), ...removed.keys()]}::text[])`,
      )
    ).map(({ uri, sha256 }) => [uri, sha256]),
  );
  const published = new Map(products.map(product => [product.uri, product]));
  const changes: FileChange[] = [
    ...[...removed.keys()].filter(uri => !published.has(uri)).map(uri => ({ uri, before: before.get(uri) ?? null, after: null })),
    ...products
      .filter(({ kind }) => kind !== 'trust-anchor')
      .map(({ uri, content }) => ({ uri, before: before.get(uri) ?? null, after: content })),
  ];
  const { sessionId, serial } = await recordPublication(change, changes);
  await change.rows(sql`delete from rpki_object where uri = any(${[...removed.keys()].filter(uri => !published.has(uri))}::text[])`);
  const keyIds = new Map(works.flatMap(({ row, files }) => [...files.keys()].map(uri => [uri, row.keyId] as const)));
  const all = [...published.values()];
  await change.rows(sql`insert into rpki_object (uri, key_id, kind, content, sha256, modified_at, serial, not_after, subject, roa_ids, published_in)
    select uri, key_id, kind, content, sha256, modified_at, serial, not_after, subject, string_to_array(roa_ids, ',')::bigint[], ${serial}
    from (select uri, key_id, kind, content, sha256, modified_at, serial, not_after, subject, roa_ids from unnest(${all.map(({ uri }) => uri)}::text[], ${all.map(({ uri }) => keyIds.get(uri)!)}::bigint[],
      ${all.map(({ kind }) => kind)}::text[], ${all.map(({ content }) => Buffer.from(content))}::bytea[], ${all.map(({ sha256 }) => Buffer.from(sha256))}::bytea[],
      ${all.map(({ modifiedAt }) => modifiedAt.toISOString())}::timestamptz[], ${all.map(({ serial: own }) => own)}::text[],
      ${all.map(({ notAfter }) => notAfter.toISOString())}::timestamptz[], ${all.map(({ subject }) => subject)}::text[],
      ${all.map(({ roaIds }) => roaIds.join())}::text[])
      as given (uri, key_id, kind, content, sha256, modified_at, serial, not_after, subject, roa_ids)) made
    on conflict (uri) do update set key_id = excluded.key_id, kind = excluded.kind, content = excluded.content, sha256 = excluded.sha256,
      modified_at = excluded.modified_at, serial = excluded.serial, not_after = excluded.not_after, subject = excluded.subject,
      roa_ids = excluded.roa_ids, published_in = excluded.published_in`);
  await storeNumbers(
    change,
    works.filter(({ isTouched, isGone }) => isTouched && !isGone),
  );
  await storeCertificates(desk, published);
  await change.note({ serial, files: changes.length });
  return { sessionId, serial, files: changes };
}

async function storeNumbers(change: Change, works: readonly Work[]): Promise<void> {
  const issues = works.map(({ issue }) => issue!);
  await change.rows(sql`insert into rpki_manifest (key_id, number, this_update, next_update)
    select * from unnest(${works.map(({ row }) => row.keyId)}::bigint[], ${issues.map(({ number }) => number)}::bigint[],
      ${issues.map(({ thisUpdate }) => thisUpdate.toISOString())}::timestamptz[], ${issues.map(({ nextUpdate }) => nextUpdate.toISOString())}::timestamptz[])
    on conflict (key_id) do update set number = excluded.number, this_update = excluded.this_update, next_update = excluded.next_update`);
}

async function storeCertificates({ change, works, places }: Desk, published: ReadonlyMap<string, Product>): Promise<void> {
  for (const work of works) {
    const made = published.get(uriOf(work, places));
    if (work.isGone)
      await change.rows(sql`update rpki_key set certificate = null, certificate_serial = null, not_before = null, not_after = null, resources = '{}'
        where key_id = ${work.row.keyId} and certificate is not null`);
    else if (made)
      await change.rows(sql`update rpki_key set certificate = ${Buffer.from(made.content)}, certificate_serial = ${made.serial},
        not_before = ${made.modifiedAt.toISOString()}::timestamptz, not_after = ${made.notAfter.toISOString()}::timestamptz,
        resources = ${work.row.resources}::text[] where key_id = ${work.row.keyId}`);
  }
}
