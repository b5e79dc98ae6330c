import type { RecordMark, RecordRouting } from '@portal/contract/records/records';
import type { Validity } from '@portal/contract/routes/routes';
import {
  type AddressRange,
  containsRange,
  decidingVrps,
  enclosingPrefix,
  formatCount,
  overlapsRange,
  parsePrefix,
  prefixAt,
  printAsNumber,
  printPrefix,
} from '@portal/number-resources';
import { rangeOf, valueOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { preparedQuery, type Read } from '../../platform/database/index.ts';
import { readersDay } from '../../platform/day-words.ts';
import type { Module } from '../../platform/module.ts';
import { asNumberOf } from '../whois/index.ts';
import { type Announcement, announcementsOf, routingView } from '../bgp-tables/index.ts';
import {
  type JudgedAnnouncements,
  someVrpsAround,
  type ValidatedAnnouncement,
  validateAnnouncements,
  vrpsCovering,
} from '../rpki/index.ts';

/** Maximum number of announcements listed on one page. */
const LISTED = 50;
/** Announcements and ROAs that are read of large space, to be judged and listed. */
const MOST = 2_000;
/** Wrong announcements that are named one by one. */
const NAMED = 5;
/** ROAs that are named for one of them. */
const NAMED_ROAS = 3;
const words = { valid: 'Valid', 'invalid-asn': 'Invalid AS', 'invalid-length': 'Invalid length', 'not-found': 'Not found' } as const;
const isInvalid = (validity: Validity): boolean => validity === 'invalid-asn' || validity === 'invalid-length';

type Describe = NonNullable<Module['records']>[number]['describe'];
type Part = Awaited<ReturnType<Describe>>;

const BY_ORIGIN =
  preparedQuery<Announcement>(`select a.prefix::text, a.asn, a.peers from bgp_table t join bgp_announcement a using (bgp_table_id)
  where t.state = 'current' and t.account_name is null and a.asn between $1::bigint and $2::bigint order by family(a.prefix), a.prefix limit 500`);

/**
 * Announcements of addresses, or by an AS number, that route collectors see, with their validity; for addresses also what that means for them. Announcements and ROAs are
 * public anyway; holders also get a way to repair them.
 */
export const announcementRecords: NonNullable<Module['records']>[number] = {
  id: 'announcements',
  describe: async ({ read, resource, own, here, on, account, objects }) => {
    // The account's own tables and its alerts are shown to those who may open their pages.
    const seesOwn = own && (account.asStaff || account.permissions.has('rescert-view'));
    // Tables of earlier days are not stored.
    if (on !== null) return {};
    if (resource.family === 'asn') {
      const seen = await read.rows(BY_ORIGIN(resource.first, resource.last));
      if (seen.length === 0) return {};
      const listed = seen.slice(0, LISTED);
      const vrps = await vrpsCovering(
        read,
        listed.map(({ prefix }) => prefix),
      );
      return {
        section: sectionOf((await validateAnnouncements(listed, vrps)).announcements, {
          isAs: true,
          own: here,
          more: seen.length > LISTED,
        }),
      };
    }
    const owner = seesOwn ? account.accountName : null;
    const block = enclosingPrefix(resource);
    const [inside, around, near] = await Promise.all([
      routingView(read, owner, [printPrefix(block)], { most: MOST + 1 }),
      announcementsOf(
        read,
        owner,
        Array.from({ length: block.length }, (_, length) => printPrefix(prefixAt(block.family, block.first, length))),
      ),
      someVrpsAround(read, printPrefix(block), MOST),
    ]);
    const isPart = inside.announcements.length > MOST;
    const announced = [...around.announcements, ...inside.announcements.slice(0, MOST)].filter(({ prefix }) =>
      overlapsRange(parsePrefix(prefix), resource),
    );
    // What contains an announcement that overlaps the block overlaps the block too.
    const covering = near.isWhole
      ? near.vrps
      : await vrpsCovering(
          read,
          announced.map(({ prefix }) => prefix),
        );
    const { announcements: seen, index } = await validateAnnouncements(announced, covering);
    const roas = near.vrps.filter(({ prefix }) => overlapsRange(parsePrefix(prefix), resource));
    const routing: RecordRouting = {
      collectedAt: inside.collectedAt,
      peers: around.peers,
      announcements: seen.slice(0, LISTED).map(({ prefix, asn, peers, validity }) => ({ prefix, asn, peers, validity })),
      roas: roas.slice(0, LISTED).map(({ prefix, asn, maxLength }) => ({ prefix, asn, maxLength })),
      more: seen.length > LISTED || roas.length > LISTED,
    };
    return {
      routing,
      health: healthOf(resource, seen, { own: here, collectedAt: inside.collectedAt, isPart }),
      marks: here
        ? [
            ...(await marksOf(read, owner, { announcements: seen, index }, around.peers)),
            ...(await contradictionsOf(read, resource, objects, seen)),
          ]
        : [],
      ...(seen.length > 0 && { section: sectionOf(seen.slice(0, LISTED), { isAs: false, own: here, more: seen.length > LISTED }) }),
    };
  },
};

const hrefOfNewRoute = (query: Record<string, string>): string =>
  `/resources/routes/index?${new URLSearchParams({ add: 'yes', ...query }).toString()}`;

/** Says what the announcements come to: the worst of those of all, or of parts, of the addresses. */
function healthOf(
  range: AddressRange,
  seen: readonly ValidatedAnnouncement[],
  { own, collectedAt, isPart }: { own: boolean; collectedAt: string | null; isPart: boolean },
): NonNullable<Part['health']> {
  const judged = judgementOf(range, seen, { own, collectedAt });
  return isPart ? { ...judged, word: `${judged.word}, of the first ${formatCount(MOST)} announcements` } : judged;
}

function judgementOf(
  range: AddressRange,
  seen: readonly ValidatedAnnouncement[],
  { own, collectedAt }: { own: boolean; collectedAt: string | null },
): NonNullable<Part['health']> {
  const whole = seen.filter(({ prefix }) => containsRange(parsePrefix(prefix), range));
  const invalid = seen.filter(({ validity }) => isInvalid(validity));
  const uncovered = seen.filter(({ validity }) => validity === 'not-found');
  const [prefix] = [printPrefix(enclosingPrefix(range))];
  const base = {
    about: 'routing' as const,
    actions: own
      ? [
          { label: 'Add route', link: hrefOfNewRoute({ prefix }) },
          ...(invalid.length > 0
            ? [
                {
                  label: 'Report a hijack',
                  link: `/contact/helpdesk/rt-tickets?${new URLSearchParams({ new: 'yes', about: prefix }).toString()}`,
                },
              ]
            : []),
        ]
      : [],
  };
  if (collectedAt === null) return { ...base, mark: 'info', word: 'No table of announcements yet' };
  if (seen.length === 0) return { ...base, mark: 'info', word: 'Not announced' };
  if (invalid.length > 0) return { ...base, mark: 'invalid', word: 'Dropped where validated' };
  if (uncovered.length > 0) return { ...base, mark: 'warning', word: 'Announced without a ROA' };
  const [around] = whole.filter(each => parsePrefix(each.prefix).length < enclosingPrefix(range).length);
  return {
    ...base,
    mark: 'valid',
    word:
      whole.length === 0
        ? 'Announced in parts, valid'
        : around && whole.length === 1
          ? `Valid, as part of ${around.prefix}`
          : 'Announced, valid',
  };
}

/** Names what is wrong with each announcement, since when that is known, and the route that would repair it. @param owner account whose alerts are read; null for none */
async function marksOf(
  read: Pick<Read, 'rows'>,
  owner: string | null,
  { announcements: seen, index }: JudgedAnnouncements,
  peers: number,
): Promise<RecordMark[]> {
  const wrong = seen
    .filter(({ validity }) => validity !== 'valid')
    .toSorted((a, b) => Number(isInvalid(b.validity)) - Number(isInvalid(a.validity)));
  if (wrong.length === 0) return [];
  const alerts = await read.rows<{ prefix: string; asn: number; foundAt: string }>(
    sql`select prefix::text, asn, found_at from route_alert where account_name = ${owner} and prefix = any(${wrong.map(({ prefix }) => prefix)}::cidr[])`,
  );
  return wrong.slice(0, NAMED).map(({ prefix, asn, peers: seenBy, validity }): RecordMark => {
    const alert = alerts.find(each => each.prefix === prefix && Number(each.asn) === asn);
    const by = `${printAsNumber(asn)} announces ${prefix}${alert ? `, found on ${readersDay(alert.foundAt)}` : ''}, seen by ${formatCount(seenBy)} of ${formatCount(peers)} peers`;
    const { vrps, count } = decidingVrps(index, parsePrefix(prefix), asn, NAMED_ROAS);
    const allowed = vrps.map(roa => `${roa.asn === 0 ? 'no AS' : printAsNumber(roa.asn)} on ${roa.prefix} up to /${roa.maxLength}`);
    const reason =
      validity === 'not-found'
        ? 'No ROA covers it'
        : `${count === 1 ? 'The ROA allows' : 'The ROAs allow'} ${[...new Set(allowed)].join(', ')}${count > NAMED_ROAS ? ' and others' : ''}`;
    return {
      about: 'routing',
      mark: isInvalid(validity) ? 'invalid' : 'warning',
      code: isInvalid(validity) ? 'announcement-invalid' : 'announcement-without-roa',
      message: `${by}. ${reason}`,
      fix: {
        label: isInvalid(validity) ? `Allow ${printAsNumber(asn)}` : 'Add a ROA',
        link: hrefOfNewRoute({ prefix, asn: printAsNumber(asn) }),
      },
    };
  });
}

/** Route objects whose announcement the ROAs would make invalid; those that are announced are judged by `marksOf`. */
async function contradictionsOf(
  read: Read,
  range: AddressRange,
  objects: Parameters<Describe>[0]['objects'],
  seen: readonly ValidatedAnnouncement[],
): Promise<RecordMark[]> {
  const named = objects.flatMap(({ class: objectClass, object }) => {
    if (objectClass !== 'route' && objectClass !== 'route6') return [];
    const named = rangeOf(object);
    const asn = asNumberOf(valueOf(object, 'origin') ?? '');
    if (named === null || named.family === 'asn' || asn === null || !overlapsRange(named, range)) return [];
    const prefix = printPrefix(enclosingPrefix(named));
    return seen.some(each => each.prefix === prefix && each.asn === asn) ? [] : [{ prefix, asn, peers: 0 }];
  });
  if (named.length === 0) return [];
  const { announcements, index } = await validateAnnouncements(
    named,
    await vrpsCovering(
      read,
      named.map(({ prefix }) => prefix),
    ),
  );
  return announcements
    .filter(({ validity }) => isInvalid(validity))
    .slice(0, NAMED)
    .map(({ prefix, asn }): RecordMark => {
      const { vrps } = decidingVrps(index, parsePrefix(prefix), asn, NAMED_ROAS);
      const allowed = [...new Set(vrps.map(roa => (roa.asn === 0 ? 'no AS' : `${printAsNumber(roa.asn)} up to /${roa.maxLength}`)))];
      return {
        about: 'routing',
        mark: 'warning',
        code: 'route-object-invalid',
        message: `The route object of ${prefix} names ${printAsNumber(asn)}, but its ROA allows ${allowed.join(', ')}. An announcement would be invalid. Delete the route object, or change the ROA`,
        fix: { label: 'Compare them', link: `/resources/routes/index?${new URLSearchParams({ q: prefix }).toString()}` },
      };
    });
}

function sectionOf(
  seen: readonly ValidatedAnnouncement[],
  { isAs, own, more }: { isAs: boolean; own: boolean; more: boolean },
): NonNullable<Part['section']> {
  return {
    about: isAs ? null : 'routing',
    title: 'Announcements',
    rows: seen.map(({ prefix, asn, peers, validity }) => ({
      label: prefix,
      text: `${isAs ? '' : `from ${printAsNumber(asn)}, `}seen by ${formatCount(peers)} ${peers === 1 ? 'peer' : 'peers'}`,
      link: own && !isAs && validity !== 'valid' ? `/resources/routes/index?${new URLSearchParams({ q: prefix }).toString()}` : null,
      state: { mark: validity === 'valid' ? 'valid' : validity === 'not-found' ? 'not-found' : 'invalid', word: words[validity] },
      actions: [],
    })),
    more,
    link: own && !isAs ? { label: 'Routes', link: '/resources/routes/index' } : null,
  };
}
