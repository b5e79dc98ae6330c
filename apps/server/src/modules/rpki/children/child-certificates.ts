import { DAY_MS, instantAfter } from '@portal/contract/days';
import {
  emptySet,
  equalSets,
  intersectSets,
  isEmptySet,
  listRanges,
  listResources,
  parseResource,
  printResource,
  type ResourceSet,
  ResourceSyntaxError,
  containsSet,
  resourceSetOf,
  subtractSets,
  unionSets,
} from '@portal/number-resources';
import {
  decodeCertificate,
  keyIdOf,
  printHex,
  printIssueResponse,
  printListResponse,
  printProvisioningError,
  printRevokeResponse,
  ProfileError,
  ProvisioningError,
  type CertificateRequest,
  type ProvisioningQuery,
  type RequestedResources,
  type ResourceClass,
} from '@portal/rpki-objects';
import { sql } from 'kysely';
import { isInFuture } from '../../../platform/clock-watch.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { ParsedProvisioning } from './child-queries.ts';
import { type Child, childDirectory, type ChildKey, className } from './children.ts';
import { nodeCryptography } from '../authorities/cryptography.ts';
import { type Draft, type Drafting, draftChildCertificate, type OwnedKey } from '../drafts.ts';
import { renewCertificateMs } from '../authorities/due-authorities.ts';

/** How long resources without a new holder stay on the certificate of the authority that held them, so that it can release them first. */
const GRACE_MS = DAY_MS;
/** Maximum number of keys of one authority: one that signs, one of a rollover, and some spare ones. */
const MAX_KEYS = 5;

const printed = (set: ResourceSet): string[] => listResources(set).map(printResource);
const setOfTexts = (texts: readonly string[]): ResourceSet => resourceSetOf(texts.map(parseResource));

/** Returns the present resources of the certificate of a key. */
export const certifiedNow = (key: Pick<ChildKey, 'certificate' | 'resources'>): ResourceSet =>
  key.certificate === null ? emptySet : setOfTexts(key.resources);

/** A certificate to issue for a key, or to revoke. */
export type ChildCertificateChange = { key: ChildKey; child: Child; resources: ResourceSet; draft: Draft | null };

/** Context in which the certificates of a self-hosted authority are decided. */
export type Certifying = { issuer: OwnedKey; issuerUri: string; drafting: Drafting };

const familiesOf = (key: Pick<ChildKey, 'requestedAsn' | 'requestedIpv4' | 'requestedIpv6'>): RequestedResources => ({
  asn: key.requestedAsn,
  ipv4: key.requestedIpv4,
  ipv6: key.requestedIpv6,
});

/** Resources of a comma-separated list (RFC 6492, section 3.3.1). @throws {ResourceSyntaxError} */
function requestedSet(texts: RequestedResources, entitled: ResourceSet): ResourceSet {
  const parse = (text: string, family: 'asn' | 'ip'): ResourceSet =>
    resourceSetOf(
      text.split(',').flatMap(part => {
        const trimmed = part.trim();
        if (trimmed === '') return [];
        return [parseResource(family === 'asn' ? trimmed.replaceAll(/\d+/g, 'AS$&') : trimmed)];
      }),
    );
  const of = (text: string | null, family: 'asn' | 'ipv4' | 'ipv6'): bigint[] =>
    text === null ? [...entitled[family]] : [...intersectSets(parse(text, family === 'asn' ? 'asn' : 'ip'), entitled)[family]];
  return { ipv4: of(texts.ipv4, 'ipv4'), ipv6: of(texts.ipv6, 'ipv6'), asn: of(texts.asn, 'asn') };
}

/**
 * Decides the certificate of a key: everything it requested that the account holds. Resources that now belong to others (`heldByOthers`) are removed
 * immediately, so that sold numbers can't be announced as valid; other lost ones stay for a day, unless the authority itself asks (`isAsked`).
 * Returns null if the present one is right; a null draft revokes it.
 */
export function certifyChild(
  {
    key,
    child,
    entitled,
    heldByOthers,
    isAsked,
  }: { key: ChildKey; child: Child; entitled: ResourceSet; heldByOthers: ResourceSet; isAsked: boolean },
  { issuer, issuerUri, drafting }: Certifying,
): ChildCertificateChange | null {
  const { now } = drafting;
  const wanted = requestedSet(familiesOf(key), entitled);
  const present = certifiedNow(key);
  const letGo = subtractSets(present, heldByOthers);
  if (isEmptySet(entitled)) {
    key.shrinksAt = null;
    return key.certificate === null ? null : { key, child, resources: emptySet, draft: null };
  }
  let resources = wanted;
  if (!isAsked && !containsSet(wanted, letGo)) {
    key.shrinksAt ??= instantAfter(now, GRACE_MS);
    if (Date.parse(key.shrinksAt) > now.getTime()) resources = unionSets(wanted, letGo);
    else key.shrinksAt = null;
  } else key.shrinksAt = null;
  if (isEmptySet(resources)) return key.certificate === null ? null : { key, child, resources: emptySet, draft: null };
  const isRight =
    !isAsked &&
    key.certificate !== null &&
    equalSets(resources, present) &&
    Date.parse(key.notAfter!) > now.getTime() + renewCertificateMs &&
    !isInFuture(key.notBefore!, now);
  return isRight ? null : { key, child, resources, draft: draftChildCertificate(key, { issuer, issuerUri, resources }, drafting) };
}

/**
 * Stores a key for which an authority requests a certificate. The request is tested as the certificate it would become, so only keys that can be
 * certified are stored.
 * @throws {ProvisioningError}
 */
async function keepRequest(
  change: Change,
  {
    child,
    query,
    request,
    keys,
    entitled,
  }: {
    child: Child;
    query: Extract<ProvisioningQuery, { type: 'issue' }>;
    request: CertificateRequest | { problem: string };
    keys: ChildKey[];
    entitled: ResourceSet;
  },
  { issuer, issuerUri, drafting }: Certifying,
): Promise<ChildKey> {
  if (query.className !== className) throw new ProvisioningError(1201);
  if ('problem' in request) throw new ProvisioningError(1203, request.problem);
  let wanted: ResourceSet;
  try {
    wanted = requestedSet(query.requested, entitled);
  } catch (error) {
    if (error instanceof ResourceSyntaxError) throw new ProvisioningError(1203, error.message);
    throw error;
  }
  if (isEmptySet(wanted)) throw new ProvisioningError(1202);
  const { rsync } = drafting.places;
  if (request.repositoryUri.startsWith(rsync) && !request.repositoryUri.startsWith(childDirectory(drafting.places, child)))
    throw new ProvisioningError(1203, `The directory of this CA in this repository is ${childDirectory(drafting.places, child)}`);
  const keyIdentifier = printHex(keyIdOf(request.publicKey, nodeCryptography));
  const [used] = await change.rows<{ isUsed: boolean }>(sql`select exists (select from rpki_key where key_identifier = ${keyIdentifier})
    or exists (select from rpki_child_key where key_identifier = ${keyIdentifier} and child_id <> ${child.childId}) as is_used`);
  if (used!.isUsed) throw new ProvisioningError(1204);
  const known = keys.find(key => key.keyIdentifier === keyIdentifier);
  if (!known && keys.length >= MAX_KEYS)
    throw new ProvisioningError(1203, `${MAX_KEYS} keys of this CA are known. Revoke one that is no longer used`);
  const facts: Omit<ChildKey, 'childKeyId'> = {
    childId: child.childId,
    publicKey: Buffer.from(request.publicKey),
    keyIdentifier,
    repositoryUri: request.repositoryUri,
    manifestUri: request.manifestUri,
    notificationUri: request.notificationUri,
    requestedAsn: query.requested.asn,
    requestedIpv4: query.requested.ipv4,
    requestedIpv6: query.requested.ipv6,
    certificate: known?.certificate ?? null,
    certificateSerial: known?.certificateSerial ?? null,
    notBefore: known?.notBefore ?? null,
    notAfter: known?.notAfter ?? null,
    resources: known?.resources ?? [],
    shrinksAt: null,
  };
  try {
    decodeCertificate(draftChildCertificate(facts, { issuer, issuerUri, resources: wanted }, drafting).assemble([new Uint8Array(256)]));
  } catch (error) {
    if (error instanceof ProfileError || error instanceof RangeError) throw new ProvisioningError(1203, error.message);
    throw error;
  }
  const [row] = await change.rows<{
    childKeyId: number;
  }>(sql`insert into rpki_child_key (child_id, public_key, key_identifier, repository_uri, manifest_uri,
      notification_uri, requested_asn, requested_ipv4, requested_ipv6, created_at)
    values (${child.childId}, ${facts.publicKey}, ${keyIdentifier}, ${facts.repositoryUri}, ${facts.manifestUri}, ${facts.notificationUri},
      ${facts.requestedAsn}, ${facts.requestedIpv4}, ${facts.requestedIpv6}, ${change.now}::timestamptz)
    on conflict (key_identifier) do update set repository_uri = excluded.repository_uri, manifest_uri = excluded.manifest_uri,
      notification_uri = excluded.notification_uri, requested_asn = excluded.requested_asn, requested_ipv4 = excluded.requested_ipv4,
      requested_ipv6 = excluded.requested_ipv6 returning child_key_id`);
  if (!known) {
    const added = { ...facts, childKeyId: row!.childKeyId };
    keys.push(added);
    return added;
  }
  return Object.assign(known, facts);
}

/** Stores issued and revoked certificates. */
export async function storeChildCertificates(
  change: Change,
  changes: readonly ChildCertificateChange[],
  products: ReadonlyMap<string, { content: Uint8Array; serial: string | null; modifiedAt: Date; notAfter: Date }>,
): Promise<void> {
  for (const { key, resources, draft } of changes) {
    const made = draft && products.get(draft.uri)!;
    const row = {
      certificate: made ? Buffer.from(made.content) : null,
      certificateSerial: made?.serial ?? null,
      notBefore: made?.modifiedAt.toISOString() ?? null,
      notAfter: made?.notAfter.toISOString() ?? null,
      resources: printed(resources),
    };
    Object.assign(key, row);
    await change.rows(sql`update rpki_child_key set certificate = ${row.certificate}, certificate_serial = ${row.certificateSerial},
      not_before = ${row.notBefore}::timestamptz, not_after = ${row.notAfter}::timestamptz, resources = ${row.resources}::text[],
      shrinks_at = ${key.shrinksAt}::timestamptz where child_key_id = ${key.childKeyId}`);
  }
}

/** Content of an answer: decided before anything is signed, printed afterwards. */
export type Decided =
  | { kind: 'list' }
  | { kind: 'issued'; key: ChildKey }
  | { kind: 'revoked'; ski: string }
  | { kind: 'error'; status: number; message: string };

type Parties = { sender: string; recipient: string };
export type ProvisioningAnswer = { parties: Parties; decided: Decided };

const skiOf = (text: string): string => Buffer.from(text, 'base64url').toString('hex');

/** Decides on a message that was already read. `revoke` revokes a certificate. */
export async function decideProvisioning(
  change: Change,
  {
    child,
    parsed,
    keys,
    entitled,
    issue,
    revoke,
  }: {
    child: Child;
    parsed: ParsedProvisioning;
    keys: ChildKey[];
    entitled: ResourceSet;
    issue: (key: ChildKey) => void;
    revoke: (key: ChildKey) => void;
  },
  certifying: Certifying,
): Promise<ProvisioningAnswer> {
  let parties: Parties = { sender: 'registry', recipient: child.childHandle };
  if ('status' in parsed) return { parties, decided: { kind: 'error', status: parsed.status, message: parsed.message } };
  const { query, request } = parsed;
  try {
    parties = { sender: query.recipient, recipient: query.sender };
    if (query.type === 'list') return { parties, decided: { kind: 'list' } };
    if (query.type === 'issue') {
      const key = await keepRequest(change, { child, query, request: request!, keys, entitled }, certifying);
      issue(key);
      return { parties, decided: { kind: 'issued', key } };
    }
    if (query.className !== className) throw new ProvisioningError(1301);
    const key = keys.find(({ keyIdentifier, certificate }) => certificate !== null && keyIdentifier === skiOf(query.ski));
    if (!key) throw new ProvisioningError(1302);
    revoke(key);
    return { parties, decided: { kind: 'revoked', ski: query.ski } };
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error;
    return { parties, decided: { kind: 'error', status: error.status, message: error.message } };
  }
}

const family = (set: ResourceSet, name: 'ipv4' | 'ipv6' | 'asn'): string =>
  (name === 'asn' ? listRanges(set, name) : listRanges(set, name))
    .map(resource => printResource(resource).replaceAll('AS', '').replaceAll(' ', ''))
    .join(',');

/** Prints an answer. @param issued the registry's certificate, and the places of certificates of these keys */
export function printAnswer(
  { parties, decided }: ProvisioningAnswer,
  {
    keys,
    entitled,
    issuer,
    uriOf,
    issuerUri,
  }: {
    keys: readonly ChildKey[];
    entitled: ResourceSet;
    issuer: { bytes: Uint8Array; notAfter: Date };
    uriOf: (key: ChildKey) => string;
    issuerUri: string;
  },
): string {
  if (decided.kind === 'error') return printProvisioningError(parties, decided);
  if (decided.kind === 'revoked') return printRevokeResponse(parties, { className, ski: decided.ski });
  const certified = (decided.kind === 'issued' ? [decided.key] : keys).filter(({ certificate }) => certificate !== null);
  const ends = certified.map(({ notAfter }) => Date.parse(notAfter!));
  const described: ResourceClass = {
    className,
    certificateUri: issuerUri,
    resources: { asn: family(entitled, 'asn'), ipv4: family(entitled, 'ipv4'), ipv6: family(entitled, 'ipv6') },
    notAfter: ends.length > 0 ? new Date(Math.min(...ends)) : issuer.notAfter,
    certificates: certified.map(key => ({ uri: uriOf(key), requested: familiesOf(key), bytes: key.certificate! })),
    issuer: issuer.bytes,
  };
  if (decided.kind === 'list') return printListResponse(parties, isEmptySet(entitled) ? [] : [described]);
  return certified.length === 0
    ? printProvisioningError(parties, { status: 1202, message: 'No resources of this class are certified for this CA' })
    : printIssueResponse(parties, described);
}
