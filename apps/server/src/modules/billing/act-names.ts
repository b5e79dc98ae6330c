import { type ActNames, nameById } from '../../platform/act-names.ts';

export const billingNames: ActNames = {
  'bank line': nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const line = await read
      .selectFrom('bankLine')
      .select(['currency', 'amount', 'payer', 'bookedOn'])
      .where('bankLineId', '=', id)
      .executeTakeFirst();
    return line && `of ${line.currency} ${line.amount} by ${line.payer} on ${line.bookedOn}`;
  }),
  'billing hold': nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const hold = await read.selectFrom('billingHold').select('due').where('billingHoldId', '=', id).executeTakeFirst();
    return hold && `${hold.due} held ${hold.due === 1 ? 'suspension or closure' : 'suspensions and closures'}`;
  }),
  'fee draft': nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const draft = await read.selectFrom('feeDraft').select('announcement').where('feeDraftId', '=', id).executeTakeFirst();
    const from = (draft?.announcement as { validFrom?: unknown } | undefined)?.validFrom;
    return typeof from === 'string' ? from : null;
  }),
};
