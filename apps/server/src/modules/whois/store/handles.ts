import { handlePrefix, parseAutoHandle, type RpslObject, references, valueOf, withValue } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';

/** The attribute with the handle of a class, and the text its letters come from. */
const handleOf: Readonly<Record<string, { attribute: string; name: string; prefix: string }>> = {
  person: { attribute: 'nic-hdl', name: 'person', prefix: '' },
  role: { attribute: 'nic-hdl', name: 'role', prefix: '' },
  organisation: { attribute: 'organisation', name: 'org-name', prefix: 'org-' },
};

type Wanted = { at: number; number: number; letters: string; suffix: string; attribute: string };

/**
 * Replaces every AUTO-n of a submission with a new handle, in references too. Numbers continue after the last one ever used; those of a failed
 * submission are skipped. @param objects null for texts that don't parse; changed in place @param creates which of them may be new objects @returns
 * the objects whose number another one requests too: it is ambiguous, so neither gets a handle
 */
export async function assignHandles(
  change: Change,
  objects: (RpslObject | null)[],
  creates: readonly boolean[],
  profile: Profile,
): Promise<Map<number, string>> {
  const asking: Wanted[] = [];
  for (const [at, object] of objects.entries()) {
    const kind = object && handleOf[object.class];
    if (!object || !kind || !creates[at]) continue;
    const auto = parseAutoHandle(valueOf(object, kind.attribute) ?? '');
    if (!auto) continue;
    const letters = kind.prefix + (auto.letters ?? handlePrefix(valueOf(object, kind.name) ?? '')).toLowerCase();
    asking.push({
      at,
      number: auto.number,
      letters,
      suffix: profile.nicHandleSuffix.replace(/^-/, '').toLowerCase(),
      attribute: kind.attribute,
    });
  }
  const often = [...Map.groupBy(asking, ({ number }) => number).values()].filter(same => same.length > 1).flat();
  const ambiguous = new Map(often.map(({ at, number }) => [at, `AUTO-${number}`]));
  const wanted = asking.filter(({ at }) => !ambiguous.has(at));
  const given = new Map<number, string>();
  if (wanted.length > 0) {
    const counts = new Map<string, Wanted[]>();
    for (const each of wanted) counts.set(each.letters, [...(counts.get(each.letters) ?? []), each]);
    const suffix = wanted[0]!.suffix;
    const rows = await change.rows<{ letters: string; last: number }>(sql`insert into handle_sequence as s (letters, suffix, last)
      select letters, ${suffix}, count from unnest(${[...counts.keys()]}::text[], ${[...counts.values()].map(list => list.length)}::bigint[]) as w (letters, count)
      on conflict (letters, suffix) do update set last = s.last + excluded.last returning letters, last`);
    for (const { letters, last } of rows) {
      const list = counts.get(letters)!;
      for (const [place, { at, number, attribute }] of list.entries()) {
        const handle = `${letters}${Number(last) - list.length + place + 1}${profile.nicHandleSuffix}`.toUpperCase();
        given.set(number, handle);
        objects[at] = withHandle(objects[at]!, attribute, handle);
      }
    }
  }
  if (given.size === 0) return ambiguous;
  for (const [at, object] of objects.entries()) {
    if (!object?.attributes.some(({ value }) => /\bauto-\d/i.test(value))) continue;
    const named = new Set<string>(references(object).map(({ attribute }) => attribute));
    objects[at] = {
      ...object,
      attributes: object.attributes.map(attribute => {
        const auto =
          named.has(attribute.name) || attribute.name.endsWith('-c') || attribute.name === 'org' ? parseAutoHandle(attribute.value) : null;
        const handle = auto && given.get(auto.number);
        return handle ? withValue(attribute, handle) : attribute;
      }),
    };
  }
  return ambiguous;
}

const withHandle = (object: RpslObject, name: string, handle: string): RpslObject => ({
  ...object,
  attributes: object.attributes.map(attribute => (attribute.name === name ? withValue(attribute, handle) : attribute)),
});

/** Records handles that people chose or that were loaded, so that they are not reused. */
export async function rememberHandles(change: Change, keys: readonly string[]): Promise<void> {
  const last = new Map<string, { letters: string; suffix: string; last: number }>();
  for (const key of keys) {
    const [, letters, number, suffix] = /^((?:org-)?[a-z]{2,4})([1-9]\d{0,8})-([a-z][a-z0-9]{0,9})$/.exec(key) ?? [];
    if (letters === undefined || suffix === undefined) continue;
    const known = last.get(`${letters}-${suffix}`);
    if (!known || known.last < Number(number)) last.set(`${letters}-${suffix}`, { letters, suffix, last: Number(number) });
  }
  if (last.size === 0) return;
  const rows = [...last.values()];
  await change.rows(sql`insert into handle_sequence as s (letters, suffix, last)
    select * from unnest(${rows.map(r => r.letters)}::text[], ${rows.map(r => r.suffix)}::text[], ${rows.map(r => r.last)}::bigint[])
    on conflict (letters, suffix) do update set last = greatest(s.last, excluded.last)`);
}
