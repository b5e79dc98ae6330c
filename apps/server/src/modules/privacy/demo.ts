import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { DemoRegistry } from '../../platform/demo.ts';

/** A legal hold on the account that was closed for an unpaid fee. */
export async function addDemoLife({ change, loginOf, today }: DemoRegistry): Promise<void> {
  const placedAt = instantBefore(today, 32 * DAY_MS);
  await change({ action: 'privacy.placeHold', summary: 'Placed a legal hold', happenedAt: placedAt }, held =>
    held
      .insertInto('legalHold')
      .values({
        accountName: 'GONE-VU',
        reason: 'Supreme Court of Vanuatu, civil case 26/1204: unpaid fees of 2024',
        placedBy: loginOf('stan').loginId,
        placedAt,
      })
      .execute(),
  );
}
