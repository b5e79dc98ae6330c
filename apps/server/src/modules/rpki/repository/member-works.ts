import { containsResource, containsSet, emptySet, isEmptySet, parsePrefix, parseResource, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import { holdingsOf } from '../../resources/index.ts';
import { certifiedAspas, type KeptAspa, printAspa } from '../aspas.ts';
import { type Authority, authoritiesOf } from '../authorities/authorities.ts';
import { type Due, rolloverMs } from '../authorities/due-authorities.ts';
import { destroyKeys, type KeyRow, keysOf, setKeyState } from '../authorities/keys.ts';
import { dueChecklists } from '../checklists/checklist-signing.ts';
import { draftAspa, draftChecklist, draftRoa } from '../drafts.ts';
import type { KeptRoa } from '../roa-changes.ts';
import { groupRoas } from '../roa-groups.ts';
import {
  certify,
  type Desk,
  issuingOf,
  newKey,
  openWork,
  removeFile,
  revokeFile,
  type StoredFile,
  storedBy,
  uriOf,
  type Work,
} from './authority-work.ts';
import { reconcileObjects } from './reconcile-objects.ts';

/** Synchronises members' authorities. @param published accounts that are published at all */
export async function memberWorks(
  desk: Desk,
  { accountNames }: Due,
  { registry, published }: { registry: Work; published: ReadonlySet<string> },
): Promise<void> {
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
  const stored = await storedBy(
    change,
    [...rows.values()].flat().map(({ keyId }) => keyId),
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
  for (const authority of authorities) {
    const accountName = authority.accountName!;
    const resources = authority.state === 'active' && published.has(accountName) ? held.get(accountName)! : emptySet;
    const own = rows.get(authority.caId) ?? [];
    const open1 = (row: KeyRow): Work => openWork(desk, row, authority, registry, stored(row.keyId));
    if (isEmptySet(resources)) {
      for (const row of own) withdraw(desk, open1(row));
      if (authority.state === 'revoked')
        await destroyKeys(
          change,
          own.map(({ keyId }) => keyId),
        );
      noteLost(
        desk,
        accountName,
        roas.get(accountName) ?? [],
        own.flatMap(({ keyId }) => stored(keyId).files),
      );
      continue;
    }
    if (own.length === 0) own.push(await newKey(desk, authority, 'current'));
    const gone = await rollOver(desk, authority, own);
    for (const row of own) {
      const work = open1(row);
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
      const ofOthers = own.flatMap(({ keyId }) => (keyId === row.keyId ? [] : stored(keyId).files));
      reconcileRoas(desk, work, { wanted: row.state === 'current' ? wanted : [], ofOthers });
      reconcileAspas(desk, work, {
        wanted: row.state === 'current' ? certifiedAspas(aspas.get(accountName) ?? [], resources) : [],
        ofOthers,
      });
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

/** Takes the due steps of a key rollover (RFC 6489, section 2). Returns the keys to remove. */
async function rollOver(desk: Desk, authority: Authority, own: KeyRow[]): Promise<Set<number>> {
  const { change, now } = desk;
  const { rolloverRequestedAt, activationRequestedAt } = authority;
  const current = own.find(({ state }) => state === 'current')!;
  const next = own.find(({ state }) => state === 'new');
  const isOver = (row: KeyRow): boolean => row.state === 'old' && Date.parse(row.stateSince) + rolloverMs <= now.getTime();
  const gone = new Set(own.filter(isOver).map(({ keyId }) => keyId));
  if (next && activationRequestedAt !== null && activationRequestedAt > next.createdAt) {
    // Remains of an earlier rollover are removed.
    for (const row of own) if (row.state === 'old') gone.add(row.keyId);
    await destroyKeys(change, [...gone]);
    await setKeyState(change, current, 'old');
    await setKeyState(change, next, 'current');
  } else if (!next && rolloverRequestedAt !== null && own.every(({ createdAt }) => createdAt < rolloverRequestedAt)) {
    own.push(await newKey(desk, authority, 'new'));
  }
  return gone;
}

/** Withdraws everything a key published, and revokes its certificate. */
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

/** Those of these ROAs that were published until now. */
function noteLost({ lost }: Desk, accountName: string, roas: readonly KeptRoa[], files: readonly StoredFile[]): void {
  const published = new Set(files.flatMap(({ roaIds }) => roaIds));
  const gone = roas.filter(({ roaId }) => published.has(roaId));
  if (gone.length > 0) lost.set(accountName, gone);
}

/** Objects that a key has to publish, and the files of other keys of its authority. */
type Wanted<Statement> = { wanted: readonly Statement[]; ofOthers: readonly StoredFile[] };

/** Synchronises the ROAs of a key. */
function reconcileRoas(desk: Desk, work: Work, { wanted, ofOthers }: Wanted<KeptRoa>): void {
  const idOf = (roaIds: readonly string[]): string => roaIds.toSorted().join();
  const isAggregated = [...work.files.values(), ...ofOthers].some(({ kind, roaIds }) => kind === 'roa' && roaIds.length > 1);
  reconcileObjects(desk, work, {
    kind: 'roa',
    idOf: ({ roaIds }) => idOf(roaIds),
    wanted: groupRoas(wanted, isAggregated).map(group => ({
      id: idOf(group.map(({ roaId }) => roaId)),
      draft: before => draftRoa(work.key, group, { ...issuingOf(desk, work), before }, desk.drafting),
    })),
    ofOthers,
  });
}

/** Synchronises its provider authorisations, one object for each list. */
function reconcileAspas(desk: Desk, work: Work, { wanted, ofOthers }: Wanted<Pick<KeptAspa, 'customer' | 'providers'>>): void {
  reconcileObjects(desk, work, {
    kind: 'aspa',
    idOf: ({ subject }) => subject,
    wanted: wanted.map(aspa => ({
      id: printAspa(aspa),
      draft: before => draftAspa(work.key, aspa, { ...issuingOf(desk, work), before }, desk.drafting),
    })),
    ofOthers,
  });
}
