import { daysAfter } from '@portal/contract/days';
import type { requests, ResourceRequestDetail } from '@portal/contract/requests/requests';
import type { NumberResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import { refuse, refuseWithCurrent } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Profile } from '../../../profile.ts';
import { actOverLocks, columnsOf, endRegistration, registrationIds } from '../../resources/index.ts';
import { endRoa, keptRoas, printRoa } from '../../rpki/index.ts';
import {
  carryNetworkLines,
  endMemberObject,
  endNetworkLines,
  type NetworkLine,
  networkDetailsOf,
  networkLinesOf,
} from '../../whois/index.ts';
import { todayOf } from '../account-facts.ts';
import { detailFor } from '../request-detail.ts';
import { notifyParty } from '../request-notices.ts';
import { lockOwnRequest, type Row, referenceOf, requestById } from '../request-row.ts';
import type { MoveStep } from './move-steps.ts';
import { movesWithTransfer, type PlannedKind, planFor } from './object-plans.ts';
import { requestsTexts } from '../mail-texts.ts';

/** `id`: which object it is in its table, so that another one of the same name, made since, isn't taken for it. Objects held by earlier versions have none. */
type Place = { class?: string; id?: number; first?: string; last?: string; lines?: NetworkLine[] };
/** A temporarily held object and its place. */
export type HeldStep = { what: PlannedKind; name: string; place: Place };

/**
 * Before the numbers move: carries contacts and geofeeds over by the plan, and returns everything to hold temporarily.
 */
export async function prepareHeld(
  change: Change,
  row: Row,
  steps: readonly MoveStep[],
  resources: readonly NumberResource[],
): Promise<HeldStep[]> {
  const { form } = row;
  if (row.recipientName === null) return [];
  const held = steps.flatMap(({ what, name, act, doing }): HeldStep[] => {
    if (act !== 'holds') return [];
    if (doing.of === 'roa') return [{ what: 'roa', name, place: {} }];
    if (doing.of === 'object')
      return [{ what: what as PlannedKind, name, place: { class: doing.touched.class, id: doing.touched.stored.objectId } }];
    return doing.of === 'registration' ? [{ what: 'registration', name, place: {} }] : [];
  });
  for (const resource of resources) {
    if (resource.family === 'asn') continue;
    const range = columnsOf(resource);
    const { contacts, geofeed } = await networkDetailsOf(change, range);
    const named = [
      ...contacts.map(({ handle }) => ({ what: 'contact' as const, name: handle })),
      ...(geofeed === null ? [] : [{ what: 'geofeed' as const, name: geofeed }]),
    ];
    for (const { what, name } of named.filter(each => movesWithTransfer(form, each.what, each.name))) {
      const lines = await networkLinesOf(change, range, value => value === name);
      await carryNetworkLines(change, range, lines);
      if (planFor(form, what, name) === 'hold') held.push({ what, name, place: { first: range.first!, last: range.last!, lines } });
    }
  }
  return held;
}

/** After the numbers moved: stores the temporarily held objects. Returns the day on which they end. */
export async function recordHeld(change: Change, row: Row, held: readonly HeldStep[], profile: Profile): Promise<string> {
  const ids = await idsOf(change, row.recipientName, held);
  const endsOn = daysAfter(todayOf(profile, change.now), profile.requestPolicy.holdDays);
  if (held.length > 0)
    await change
      .insertInto('heldObject')
      .values(
        held.map(({ what, name, place }) => ({
          resourceRequestId: row.id,
          accountName: row.recipientName!,
          what,
          name,
          place: JSON.stringify(ids[what]?.has(name) ? { ...place, id: ids[what].get(name) } : place),
          endsOn,
        })),
      )
      .execute();
  return endsOn;
}

/** Returns the ids of ROAs and registrations as their recipient has them, by their names. */
async function idsOf(
  change: Change,
  accountName: string | null,
  held: readonly HeldStep[],
): Promise<Partial<Record<PlannedKind, Map<string, number>>>> {
  if (accountName === null || held.length === 0) return {};
  const names = held.filter(({ what }) => what === 'registration').map(({ name }) => name);
  return {
    roa: new Map((await keptRoas(change, accountName)).map(roa => [printRoa(roa), Number(roa.roaId)])),
    registration: new Map((await registrationIds(change, accountName, names)).map(({ resource, id }) => [resource, id])),
  };
}

/**
 * Removes the end of objects held from an earlier transfer when their numbers move on: they belong to the new recipient permanently, as its plan says.
 */
export async function endHolding(
  change: Change,
  accountName: string,
  steps: readonly Pick<MoveStep, 'what' | 'name'>[],
  resources: readonly NumberResource[],
): Promise<void> {
  const ranges = resources.map(columnsOf);
  await change.rows(sql`update held_object set ended_at = ${change.now}::timestamptz
    where account_name = ${accountName} and kept_at is null and ended_at is null and (
      (what, name) in (select * from unnest(${steps.map(({ what }) => what)}::text[], ${steps.map(({ name }) => name)}::text[]))
      or (place ? 'first' and exists (select from unnest(${ranges.map(({ first }) => first)}::inet[], ${ranges.map(({ last }) => last)}::inet[]) as r (first, last)
        where r.first <= (place ->> 'last')::inet and r.last >= (place ->> 'first')::inet)))`);
}

/**
 * Keeps objects of a completed transfer permanently, for its recipient. Ones already kept stay so. @throws Failure NOT_FOUND, REQUEST_STATE for one
 * that has ended
 */
export async function keepHeld({
  change,
  account: { accountName },
  params: { requestId },
  body: { heldIds },
  registry,
}: Act<typeof requests.keepHeld>): Promise<ResourceRequestDetail> {
  const row = await lockOwnRequest(change, accountName, requestId);
  const rows = await change.rows<{ name: string; endedAt: string | null }>(
    sql`select name, ended_at from held_object where resource_request_id = ${row.id} and account_name = ${accountName}
      and held_object_id = any(${[...new Set(heldIds)]}::bigint[]) for update`,
  );
  if (rows.length < new Set(heldIds).size) throw refuse('NOT_FOUND', { what: 'The object' });
  const ended = rows.find(({ endedAt }) => endedAt !== null);
  if (ended)
    throw refuseWithCurrent(await detailFor(change, row, accountName, registry), 'REQUEST_STATE', {
      reference: `${ended.name} of ${referenceOf(row.id)}`,
      state: 'expired',
    });
  await change.rows(sql`update held_object set kept_at = ${change.now}::timestamptz where kept_at is null
    and held_object_id = any(${[...heldIds]}::bigint[])`);
  await change.note({ request: referenceOf(row.id), kept: rows.map(({ name }) => name) });
  return detailFor(change, (await requestById(change, row.id))!, accountName, registry);
}

type Due = HeldStep & { id: number; accountName: string };

/** Ends temporarily held objects that no one kept, case by case. */
export async function endHeldObjects(db: Database, now: Date, profile: Profile): Promise<void> {
  const today = todayOf(profile, now);
  const due = sql`kept_at is null and ended_at is null and ends_on <= ${today}::date`;
  const cases = await db.read.rows<{ id: number; accountName: string }>(
    sql`select distinct resource_request_id as id, account_name from held_object where ${due} order by 1`,
  );
  await eachAlone(
    cases,
    ({ id, accountName }) => `${referenceOf(id)} of ${accountName}`,
    ({ id, accountName }) =>
      db.change(ownActivity('requests.endHeld', 'Ended objects that a transfer held', accountName), async change => {
        const rows = await change.rows<Due>(
          sql`select held_object_id as id, account_name, what, name, place from held_object where resource_request_id = ${id} and ${due} order by held_object_id for update`,
        );
        await actOverLocks(change, 'heldObjects');
        const ended: string[] = [];
        for (const row of rows) if (await endOne(change, row, profile)) ended.push(row.name);
        await change.rows(
          sql`update held_object set ended_at = ${change.now}::timestamptz where held_object_id = any(${rows.map(row => row.id)}::bigint[])`,
        );
        await change.note({ request: referenceOf(id), ended });
        if (ended.length === 0) return;
        await notifyParty(change, (await requestById(change, id))!, accountName, {
          text: requestsTexts.written('whatTransferHeldEnded', {
            ended: ended.slice(0, 50).join(', '),
            howMany: ended.length > 50 ? ` and ${ended.length - 50} more` : '',
          }),
        });
      }),
  );
}

const reason = 'Held by a transfer for a time, and not kept';

/** Ends one object. Returns whether it still existed. */
function endOne(change: Change, { what, name, place, accountName }: Due, profile: Profile): Promise<boolean> {
  switch (what) {
    case 'registration':
      return endRegistration(change, accountName, name, place.id);
    case 'roa':
      return endRoa(change, accountName, name, place.id);
    case 'route':
    case 'whois':
    case 'reverse':
      return endMemberObject(change, { class: place.class!, shown: name, objectId: place.id }, reason, profile);
    case 'contact':
    case 'geofeed':
      return endNetworkLines(change, { first: place.first!, last: place.last! }, place.lines ?? [], profile);
  }
}
