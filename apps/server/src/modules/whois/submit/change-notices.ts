import { spacedKey } from '@portal/contract/whois/spaced-key';
import { parseObject, type RpslObject, valuesOf } from '@portal/rpsl';
import { breathing } from '../../../platform/breathing.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { sendMail } from '../../mail/index.ts';
import { listOf, maintainersIn } from '../store/object-facts.ts';
import { textDifference } from '../store/text-difference.ts';
import type { WhoisProblem } from '../store/update.ts';
import { findObjects } from '../store/stored-objects.ts';

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

/** Objects written out in one mail; the others are named. */
const WRITTEN_OUT = 50;

/**
 * Mails the addresses that objects name: `notify` and the maintainers' `mnt-nfy` of changes, `upd-to` of attempts without
 * authorisation, `irt-nfy` and `ref-nfy` of new and removed references. One mail per address and submission.
 */
export async function notifyAboutChanges(
  change: Change,
  notices: readonly ObjectNotice[],
  { who, profile }: { who: string; profile: Profile },
): Promise<void> {
  if (notices.length === 0) return;
  const breathe = breathing();
  const parts: { each: ObjectNotice; before: RpslObject | null; after: RpslObject | null }[] = [];
  for (const each of notices) {
    const before = read(each.before);
    await breathe();
    parts.push({ each, before, after: read(each.after) });
    await breathe();
  }
  const named = new Map<string, { class: string; key: string }>();
  const want = (objectClass: string, key: string): void => {
    named.set(`${objectClass} ${key}`, { class: objectClass, key });
  };
  for (const { each, before, after } of parts) {
    for (const key of maintainersIn((before ?? after)!, 'mnt-by')) want('mntner', key);
    if (each.done !== null) for (const { objectClass, key } of comeAndGone(before, after)) want(objectClass, key);
  }
  const rows = await findObjects(change, [...named.values()]);
  const addressesIn = new Map(rows.map(row => [`${row.class} ${row.key}`, read(row.text)!]));
  // A maintainer or irt deleted by the same submission is still notified.
  for (const { each, before } of parts)
    if (each.done === 'delete' && before && ['mntner', 'irt', 'organisation'].includes(before.class))
      addressesIn.set(`${before.class} ${each.shown.toLowerCase()}`, before);
  const of = (objectClass: string, key: string, attribute: string): string[] => {
    const object = addressesIn.get(`${objectClass} ${key}`);
    return object ? valuesOf(object, attribute) : [];
  };

  const mails = new Map<string, ObjectNotice[]>();
  for (const { each, before, after } of parts) {
    const own = (before ?? after)!;
    const addresses =
      each.done === null
        ? maintainersIn(own, 'mnt-by').flatMap(key => of('mntner', key, 'upd-to'))
        : [
            ...valuesOf(own, 'notify'),
            ...maintainersIn(own, 'mnt-by').flatMap(key => of('mntner', key, 'mnt-nfy')),
            ...notifiedOfCredentials(before, after),
            ...comeAndGone(before, after).flatMap(({ objectClass, key }) =>
              of(objectClass, key, objectClass === 'irt' ? 'irt-nfy' : 'ref-nfy'),
            ),
          ];
    for (const address of new Set(addresses.map(one => one.toLowerCase()))) mails.set(address, [...(mails.get(address) ?? []), each]);
  }
  for (const [recipient, list] of mails) {
    const mail = mailOf(list, who, profile);
    await breathe();
    await sendMail(change, { topic: 'whois.objects', recipient, ...mail });
  }
}

const read = (text: string | null): RpslObject | null => (text === null ? null : (parseObject(text).object ?? null));

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

function mailOf(list: readonly ObjectNotice[], who: string, profile: Profile): { subject: string; body: string } {
  const refused = list.filter(({ done }) => done === null);
  const changed = list.filter(({ done }) => done !== null);
  const one = list.length === 1 ? `${list[0]!.class} ${spacedKey(list[0]!.shown)}` : `${list.length} objects`;
  const subject = changed.length === 0 ? `Refused: a change of ${one}` : `Changed in the ${profile.source} database: ${one}`;
  const body = [
    `You get this because objects in the ${profile.source} whois database, or their maintainers, list your address.`,
    `Change requested from: ${who}`,
    ...refused
      .slice(0, WRITTEN_OUT)
      .map(({ class: objectClass, shown, before, after, refusals }) =>
        [
          '---',
          `Refused for want of authorisation: ${objectClass} ${spacedKey(shown)}`,
          ...refusals.map(({ message }) => message),
          '',
          before === null ? (after ?? '') : textDifference(before, after ?? ''),
        ].join('\n'),
      ),
    ...changed
      .slice(0, WRITTEN_OUT)
      .map(({ done, before, after }) =>
        [
          '---',
          `OBJECT BELOW ${past[done!]}:`,
          '',
          (after ?? before ?? '').trimEnd(),
          ...(done === 'modify' ? ['', 'Difference:', '', textDifference(before!, after!)] : []),
        ].join('\n'),
      ),
    ...rest(refused, 'refused'),
    ...rest(changed, 'changed'),
  ];
  return { subject, body: body.join('\n\n') };
}

const rest = (list: readonly ObjectNotice[], word: string): string[] =>
  list.length <= WRITTEN_OUT
    ? []
    : [
        `And ${list.length - WRITTEN_OUT} more were ${word}: ${list
          .slice(WRITTEN_OUT, WRITTEN_OUT + 500)
          .map(({ class: objectClass, shown }) => `${objectClass} ${spacedKey(shown)}`)
          .join(', ')}${list.length > WRITTEN_OUT + 500 ? ' and others' : ''}.`,
      ];
