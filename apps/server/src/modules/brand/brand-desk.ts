import type { AnswerOf } from '@portal/contract';
import type { brand, BrandDesk, BrandValue } from '@portal/contract/brand/brand';
import { brandValueNames } from '@portal/contract/brand/brand-values';
import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import { fileOf, kindOf, withValues } from '../../dated-profile.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { exampleMail } from '../mail/index.ts';
import { type ChangeRow, changeOf, changeRow, changeRows, counts, valuesOf } from './change-rows.ts';

/** Changes that ended without being in force are listed so many back. */
const ENDED = 20;

/** The brand in force, and its changes. */
export async function getBrand({ read, registry }: Act<typeof brand.getBrand>): Promise<BrandDesk> {
  const { now, today, profile, config } = registry;
  const rows = await changeRows(read, sql`true`);
  const file = fileOf(profile);
  const confirmed = rows.filter(counts);
  const hasBegun = ({ beginsAt }: ChangeRow): boolean => Date.parse(beginsAt!) <= now.getTime();
  const values = brandValueNames.map((name): BrandValue => {
    const fixed = file.fixed.includes(name);
    const changes = fixed ? [] : confirmed.filter(({ changed }) => name in changed);
    const since = changes.find(hasBegun);
    const next = changes.findLast(row => !hasBegun(row));
    return {
      name,
      value: since?.changed[name]?.after ?? file[name],
      since: since ? { changeId: String(since.brandChangeId), beganAt: since.beginsAt! } : null,
      next: next
        ? { changeId: String(next.brandChangeId), day: dayIn(profile.timeZone, new Date(next.beginsAt!)), value: next.changed[name]!.after }
        : null,
      inFile: file[name],
      fixed,
      bounds: kindOf(name).kind,
    };
  });
  let ended = 0;
  const listed = rows.filter(row => row.endedAt === null || (ended += 1) <= ENDED);
  return {
    today,
    timeZone: profile.timeZone,
    file: config.profile.split('/').at(-1)!,
    values,
    changes: listed.map(row => changeOf(row, rows, registry)),
  };
}

/** The mail of the preview: it names the portal and the registry. */
const SHOWN_MAIL = 'identity.choosePassword';

/** A mail as it would be with a change. @throws Failure NOT_FOUND */
export async function previewBrandMail({
  read,
  caller,
  params: { changeId },
  registry,
}: Act<typeof brand.previewBrandMail>): Promise<AnswerOf<typeof brand.previewBrandMail>> {
  const row = await changeRow(read, changeId);
  const changed = withValues(
    registry.profile,
    valuesOf(row).map(({ name, after }) => ({ name, value: after })),
  );
  const { subject, body } = exampleMail({ ...registry, profile: changed }, SHOWN_MAIL, caller.name);
  return { subject, text: body };
}
