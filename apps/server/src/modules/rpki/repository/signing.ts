import { DAY_MS, HOUR_MS, instantBefore, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { isInFuture } from '../../../platform/clock-watch.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { CaSigner } from '../authorities/signer.ts';
import { backdatedMs, type Draft, draftCrl, draftManifest, type Issue, type Product, signDrafts } from '../drafts.ts';
import { directoryOf, type Places } from '../places.ts';
import { type Desk, uriOf, type Work } from './authority-work.ts';
import { PublicationRefused } from './set-aside-members.ts';

/** Signs certificates, ROAs and checklists, then CRLs, then the manifests over all of them. */
export async function sign(desk: Desk): Promise<Made[]> {
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
      // What was revoked with a wrong clock may have been revoked in the future.
      (revoked.get(work.row.keyId) ?? []).map(({ serial, revokedAt }) => ({
        serial,
        revokedAt: new Date(Math.min(Date.parse(revokedAt), work.issue!.thisUpdate.getTime())),
      })),
      work.issue!,
      places,
    ),
  ]);
  const manifests = await signFor({ ...desk, works: touched }, work => {
    const listed = [...work.files.values()].filter(({ kind }) => kind !== 'manifest' && kind !== 'trust-anchor');
    return [
      draftManifest(work.key, listed, work.issue!, { takeKey: desk.oneTimeKeys.take, issuerUri: uriOf(work, places) }, desk.drafting),
    ];
  });
  await recordIssued(change, manifests);
  return [...made, ...crls, ...manifests];
}

/** A signed file, and who signed it. */
export type Made = { work: Work; product: Product };

async function signFor(
  { signer, works, places }: Pick<Desk, 'signer' | 'works' | 'places'>,
  draftsOf: (work: Work) => readonly Draft[],
): Promise<Made[]> {
  const drafts = works.flatMap(work => draftsOf(work).map(draft => ({ work, draft })));
  const products = await signDrafts(
    signer,
    drafts.map(({ draft }) => draft),
  ).catch(async (error: unknown) => {
    const problems = await worksThatCantSign(signer, drafts, places);
    throw problems.length === 0
      ? error
      : new PublicationRefused('Not everything could be signed, so nothing was published.', problems, { cause: error });
  });
  return products.map((product, index) => {
    const { work } = drafts[index]!;
    const { uri, kind, sha256, serial, roaIds, subject } = product;
    const [notBefore, notAfter] = [product.notBefore.toISOString(), product.notAfter.toISOString()];
    if (kind !== 'checklist')
      work.files.set(uri, { uri, keyId: work.row.keyId, kind, sha256, serial, notBefore, notAfter, roaIds, subject });
    return { work, product };
  });
}

/** Finds authorities whose keys can't sign, with one draft of each: a sentence each, which begins with its directory. */
async function worksThatCantSign(signer: CaSigner, drafts: readonly { work: Work; draft: Draft }[], places: Places): Promise<string[]> {
  const problems: string[] = [];
  for (const { work, draft } of new Map(drafts.map(each => [each.work, each])).values())
    await signDrafts(signer, [draft]).catch((error: Error) =>
      problems.push(`${directoryOf(places, work.key.authority)}: ${error.message}`),
    );
  return problems;
}

/**
 * The next number, with a time later than the last one, because relying parties ignore manifests that aren't newer than one they accepted (RFC 9286, section
 * 4.2.1). None accepted one from the future, so its time doesn't count. Starts in the past for slow clocks.
 */
function nextIssue(last: Issue | null, now: Date): Issue {
  const floor = last === null || isInFuture(last.thisUpdate, now) ? 0 : last.thisUpdate.getTime() + SECOND_MS;
  const thisUpdate = new Date(Math.max(now.getTime() - backdatedMs, floor));
  // A day and up to four hours, so that not all end together.
  const jitter = Math.floor((Math.random() * 4 * HOUR_MS) / SECOND_MS) * SECOND_MS;
  return { number: (last?.number ?? 0) + 1, thisUpdate, nextUpdate: new Date(now.getTime() + 24 * HOUR_MS + jitter) };
}

/**
 * How long, in ms, a certificate is known after its end: longer than a clock is likely to have been ahead (decision 248). Forgotten by then, it would not be
 * revoked once the clock is right and it has not ended yet.
 */
const KNOWN_AFTER_END_MS = 400 * DAY_MS;
/** Certificates revoked at most this many ms before their end are forgotten when they end: those of manifests, of which there are many. */
const SHORT_MS = 2 * DAY_MS;

/** Records issued and revoked certificates, before the CRLs are made. */
async function recordCertificates({ change, works, now }: Desk, made: readonly Made[]): Promise<void> {
  await recordIssued(change, made);
  for (const work of works) {
    // Including the manifest that is being replaced.
    if (work.isTouched) for (const file of work.files.values()) if (file.kind === 'manifest') work.revoked.push(file.serial!);
  }
  const revoked = works.flatMap(work =>
    work.revoked.map(serial => ({ serial, keyId: work.row.keyId, at: (work.issue?.thisUpdate ?? now).toISOString() })),
  );
  if (revoked.length > 0)
    await change.rows(sql`update rpki_certificate c set revoked_at = r.at from unnest(${revoked.map(({ keyId }) => keyId)}::bigint[],
      ${revoked.map(({ serial }) => serial)}::text[], ${revoked.map(({ at }) => at)}::timestamptz[]) as r (key_id, serial, at)
      where c.key_id = r.key_id and c.serial = r.serial and c.revoked_at is null`);
  await change.rows(sql`delete from rpki_certificate where key_id = any(${works.map(({ row }) => row.keyId)}::bigint[])
    and not_after < case when revoked_at between not_after - make_interval(secs => ${SHORT_MS / SECOND_MS}) and not_after then ${change.now}::timestamptz
      else ${instantBefore(now, KNOWN_AFTER_END_MS)}::timestamptz end`);
}

async function recordIssued(change: Change, made: readonly Made[]): Promise<void> {
  const issued = made.filter(({ product }) => product.serial !== null && product.kind !== 'trust-anchor');
  await change.rows(sql`insert into rpki_certificate (key_id, serial, not_after) select * from unnest(
    ${issued.map(({ work }) => work.row.keyId)}::bigint[], ${issued.map(({ product }) => product.serial)}::text[],
    ${issued.map(({ product }) => product.notAfter.toISOString())}::timestamptz[])`);
}
