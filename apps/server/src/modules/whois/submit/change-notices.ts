import { DAY_MS } from '@portal/contract/days';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { parseObject, parseObjectInTurns, type RpslObject, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { type Breathe, breathing, inTurns } from '../../../platform/breathing.ts';
import { theLast } from '../../../platform/clock-watch.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { type MailText, sendMail } from '../../mail/index.ts';
import { listOf, maintainersIn } from '../store/object-facts.ts';
import { textDifference } from '../store/text-difference.ts';
import { forMail, writtenOut } from './mail-text.ts';
import type { WhoisProblem } from '../store/update.ts';
import { findObjects } from '../store/stored-objects.ts';
import { whoisTexts } from '../mail-texts.ts';

/** An object that was changed, or whose change was not authorised. */
export type ObjectNotice = {
  /** Null: it was refused for lack of authorisation. */
  done: 'create' | 'modify' | 'delete' | null;
  class: string;
  shown: string;
  before: string | null;
  after: string | null;
  refusals: readonly Pick<WhoisProblem, 'message'>[];
};

/** Objects written out in one mail at most; of the others some are named. */
const WRITTEN_OUT = 50;
const NAMED = 500;
/** Addresses that are always written to, those of maintainers before those of objects. */
const ALWAYS = 10;
/** Mails to further addresses that an account causes within a day. */
export const MAILS_A_DAY = 1_000;

/**
 * Mails the addresses that objects name: `notify` and the maintainers' `mnt-nfy` of changes, `upd-to` of attempts without
 * authorisation, `irt-nfy` and `ref-nfy` of new and removed references. One mail per address and submission. An account that causes more than 1,000 of them
 * within a day beyond the first ten of a submission has the others left out, and its activity says how many. Returns that number.
 */
export async function notifyAboutChanges(
  change: Change,
  notices: readonly ObjectNotice[],
  { who, profile }: { who: string; profile: Profile },
): Promise<number> {
  if (notices.length === 0) return 0;
  const breathe = breathing();
  const parts: { each: ObjectNotice; before: RpslObject | null; after: RpslObject | null }[] = [];
  for (const each of notices) {
    const before = await read(each.before, breathe);
    await breathe();
    parts.push({ each, before, after: await read(each.after, breathe) });
    await breathe();
  }
  const named = new Map<string, { class: string; key: string }>();
  const want = (objectClass: string, key: string): void => {
    named.set(`${objectClass} ${key}`, { class: objectClass, key });
  };
  for (const { each, before, after } of parts) {
    await breathe();
    for (const key of maintainersIn((before ?? after)!, 'mnt-by')) want('mntner', key);
    if (each.done !== null) for (const { objectClass, key } of comeAndGone(before, after)) want(objectClass, key);
  }
  const rows = await findObjects(change, [...named.values()]);
  const addressesIn = new Map(rows.map(row => [`${row.class} ${row.key}`, parseObject(row.text).object!]));
  // A maintainer or irt deleted by the same submission is still notified.
  for (const { each, before } of parts)
    if (each.done === 'delete' && before && ['mntner', 'irt', 'organisation'].includes(before.class))
      addressesIn.set(`${before.class} ${each.shown.toLowerCase()}`, before);
  const of = (objectClass: string, key: string, attribute: string): string[] => {
    const object = addressesIn.get(`${objectClass} ${key}`);
    return object ? valuesOf(object, attribute) : [];
  };

  const own = new Map<string, Set<ObjectNotice>>();
  const mails = new Map<string, Set<ObjectNotice>>();
  const add = (to: typeof mails, addresses: readonly string[], each: ObjectNotice): void => {
    for (const address of addresses.map(one => one.toLowerCase())) to.set(address, (to.get(address) ?? new Set()).add(each));
  };
  for (const { each, before, after } of parts) {
    await breathe();
    const object = (before ?? after)!;
    if (each.done === null) {
      add(
        mails,
        maintainersIn(object, 'mnt-by').flatMap(key => of('mntner', key, 'upd-to')),
        each,
      );
      continue;
    }
    add(
      mails,
      [
        ...notifiedOfCredentials(before, after),
        ...maintainersIn(object, 'mnt-by').flatMap(key => of('mntner', key, 'mnt-nfy')),
        ...comeAndGone(before, after).flatMap(({ objectClass, key }) =>
          of(objectClass, key, objectClass === 'irt' ? 'irt-nfy' : 'ref-nfy'),
        ),
      ],
      each,
    );
    add(own, valuesOf(object, 'notify'), each);
  }
  for (const [address, list] of own) for (const each of list) add(mails, [address], each);
  const room = ALWAYS + (mails.size > ALWAYS ? await roomToday(change) : 0);
  /** Mails that say the same, by what they say. */
  const written = new Map<string, MailText>();
  const places = new Map(notices.map((each, place) => [each, place]));
  for (const [recipient, list] of [...mails].slice(0, room)) {
    const sorted = [...list].sort((a, b) => places.get(a)! - places.get(b)!);
    const said = sorted.map(each => places.get(each)).join(' ');
    const mail = written.get(said) ?? (await mailOf(sorted, { who, profile, breathe }));
    written.set(said, mail);
    await breathe();
    await sendMail(change, { topic: 'whois.objects', recipient, text: mail });
  }
  const counted = Math.min(mails.size, room) - ALWAYS;
  if (counted > 0) await change.note({ noticeMails: counted });
  const leftOut = Math.max(0, mails.size - room);
  if (leftOut > 0) await change.note({ noticesLeftOut: leftOut });
  return leftOut;
}

/** How many further mails the account of this change may cause today. What the registry does for no account has no limit. */
async function roomToday(change: Change): Promise<number> {
  const { since, until } = theLast(DAY_MS, change.now);
  const [row] = await change.rows<{ account: string | null; mails: number }>(sql`select a.account_name as account,
      (select coalesce(sum((b.details ->> 'noticeMails')::int), 0)::int from activity b where b.account_name = a.account_name
        and b.happened_at between ${since}::timestamptz and ${until}::timestamptz and b.details ? 'noticeMails') as mails
    from activity a where a.activity_id = ${change.activityId}`);
  return row?.account == null ? Number.MAX_SAFE_INTEGER : Math.max(0, MAILS_A_DAY - row.mails);
}

const read = async (text: string | null, breathe: Breathe): Promise<RpslObject | null> =>
  text === null ? null : (await inTurns(parseObjectInTurns(text), breathe)).object;

/** Returns the addresses to notify of changed credentials of a maintainer: the old and the new ones. */
function notifiedOfCredentials(before: RpslObject | null, after: RpslObject | null): string[] {
  if (before?.class !== 'mntner' || after === null) return [];
  const auth = (object: RpslObject): string => valuesOf(object, 'auth').toSorted().join('\n');
  return auth(before) === auth(after) ? [] : [...valuesOf(before, 'upd-to'), ...valuesOf(after, 'upd-to')];
}

/** Irts and organisations an object names now but not before, or the other way round. */
function comeAndGone(before: RpslObject | null, after: RpslObject | null): { objectClass: 'irt' | 'organisation'; key: string }[] {
  const of = (object: RpslObject | null, attribute: string): string[] =>
    object ? listOf(object, attribute).map(each => each.toLowerCase()) : [];
  return (['mnt-irt', 'org'] as const).flatMap(attribute => {
    const [old, fresh] = [of(before, attribute), of(after, attribute)];
    const moved = [...old.filter(key => !fresh.includes(key)), ...fresh.filter(key => !old.includes(key))];
    return [...new Set(moved)].map(key => ({ objectClass: attribute === 'org' ? ('organisation' as const) : ('irt' as const), key }));
  });
}

const past = { create: 'CREATED', modify: 'MODIFIED', delete: 'DELETED' } as const;

async function mailOf(
  list: readonly ObjectNotice[],
  { who, profile, breathe }: { who: string; profile: Profile; breathe: Breathe },
): Promise<MailText> {
  const [refused, changed] = [list.filter(({ done }) => done === null), list.filter(({ done }) => done !== null)];
  const one = list.length === 1 ? `${list[0]!.class} ${spacedKey(list[0]!.shown)}` : `${list.length} objects`;
  const refusals = await writtenOut(refused, refusedText, WRITTEN_OUT, breathe);
  const changes = await writtenOut(changed, changedText, WRITTEN_OUT, breathe);
  const values = {
    source: profile.source,
    objects: one,
    who,
    text: [...refusals.written, ...changes.written, ...rest(refusals.others, 'refused'), ...rest(changes.others, 'changed')].join('\n\n'),
  };
  return whoisTexts.written(changed.length === 0 ? 'changeRefused' : 'objectsChanged', values);
}

const refusedText = ({ class: objectClass, shown, before, after, refusals }: ObjectNotice): string =>
  [
    '---',
    `Refused for want of authorisation: ${objectClass} ${spacedKey(shown)}`,
    ...refusals.map(({ message }) => message),
    '',
    forMail(before === null ? (after ?? '') : textDifference(before, after ?? '')),
  ].join('\n');

const changedText = ({ done, before, after }: ObjectNotice): string =>
  [
    '---',
    `OBJECT BELOW ${past[done!]}:`,
    '',
    forMail((after ?? before ?? '').trimEnd()),
    ...(done === 'modify' ? ['', 'Difference:', '', forMail(textDifference(before!, after!))] : []),
  ].join('\n');

const rest = (others: readonly ObjectNotice[], word: string): string[] =>
  others.length === 0
    ? []
    : [
        `And ${others.length} more were ${word}: ${others
          .slice(0, NAMED)
          .map(({ class: objectClass, shown }) => `${objectClass} ${spacedKey(shown)}`)
          .join(', ')}${others.length > NAMED ? ' and others' : ''}.`,
      ];
