import { attributeOf, printObject, type RpslObject } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { storeObjects, type Write } from '../store/store.ts';
import { findObjects } from '../store/stored-objects.ts';

/** Remarks that the registry writes into an irt about its mailboxes. */
const ownRemark = /^\S+@\S+ (?:was validated on \d{4}-\d\d-\d\d|is invalid)$/;
/** Attributes that follow `remarks` in the template. */
const after = new Set(['irt-nfy', 'notify', 'mnt-by', 'last-modified', 'source']);

/** The irt with the given remarks in place of those the registry wrote before. */
function withRemarks(object: RpslObject, remarks: readonly string[]): RpslObject {
  const attributes = object.attributes.filter(({ name, value }) => name !== 'remarks' || !ownRemark.test(value));
  const place = attributes.findIndex(({ name }) => after.has(name));
  attributes.splice(place < 0 ? attributes.length : place, 0, ...remarks.map(remark => attributeOf('remarks', remark)));
  return { ...object, attributes };
}

/** Writes into irts which of their mailboxes are validated, and which are invalid. The caller holds the lock (`lock.ts`). */
export async function remarkIrts(change: Change, irts: readonly string[], profile: Profile): Promise<void> {
  const keys = [...new Set(irts)];
  if (keys.length === 0) return;
  const mailboxes = await change.rows<{ irt: string; mailbox: string; invalid: boolean; validatedOn: string | null }>(sql`
    select irt, mailbox, bool_or(state in ('invalid', 'restricted')) as invalid, (max(validated_at) at time zone 'UTC')::date::text as validated_on
    from irt_contact where irt = any(${keys}::text[]) group by irt, mailbox order by irt, mailbox`);
  const rows = await findObjects(
    change,
    keys.map(key => ({ class: 'irt', key })),
  );
  const writes = rows.flatMap((row): Write[] => {
    const before = objectOfRow(row);
    const remarks = mailboxes.flatMap(({ irt, mailbox, invalid, validatedOn }) =>
      irt !== row.key
        ? []
        : invalid
          ? [`${mailbox} is invalid`]
          : validatedOn === null
            ? []
            : [`${mailbox} was validated on ${validatedOn}`],
    );
    const object = withRemarks(before, remarks);
    if (printObject(object) === printObject(before)) return [];
    return [{ operation: 'modify', class: row.class, key: row.key, shown: row.shown, object, stored: row }];
  });
  await storeObjects(change, writes, profile);
}
