import { DAY_MS, dayIn, instantBefore } from '@portal/contract/days';
import type { Asked } from '@portal/contract/legal/legal';
import { sql } from 'kysely';
import type { DemoRegistry } from '../../platform/demo.ts';
import { instantOfLocal } from '../../platform/zone-offset.ts';

type Made = {
  text: string;
  version: number;
  title: string;
  validFrom: string;
  body: string;
  changes: string;
  asks: Asked[];
  renews: boolean;
  people: readonly [first: string, second: string];
};

const terms = `These terms apply to everyone who uses the portal of the registry.

## Your login

- Keep your password and second factor to yourself.
- Tell us immediately if someone else may have used them.

## What you may do

1. Use the portal for the accounts that you act for.
2. Run programs with API keys, at the rates that the documentation names.

## What we do

We keep the portal running, announce maintenance, and log each change. How we treat personal data is in the [privacy notice](/privacy).`;

const agreement = `This agreement is between the registry and the member.

## Services

The registry delegates number resources by its policies, publishes them, and keeps them unique.

## The member

- Pays the fees of the schedule that is in force.
- Keeps its details and contacts up to date.
- Uses number resources for networks, as it said when it asked for them.

## End

The member ends the agreement by closing the account. Number resources go back to the registry then.`;

const whois = `Whois is public, so that networks can be operated and abuse can be reported.

## Allowed

- Looking up who holds numbers, and how to reach them about their network.
- Copies of whole data sets, under the agreement for bulk access.

## Not allowed

- Advertising to people found in whois.
- Queries beyond the published rates.`;

async function make({ change, loginOf, profile }: DemoRegistry, { people: [first, second], ...row }: Made): Promise<void> {
  const beginsAt = new Date(instantOfLocal(profile.timeZone, Date.parse(row.validFrom))).toISOString();
  const preparedAt = instantBefore(beginsAt, 40 * DAY_MS);
  await change({ action: 'demo.addLegalTexts', summary: 'Added a legal text', happenedAt: preparedAt }, made =>
    made
      .insertInto('legalVersion')
      .values({
        ...row,
        beginsAt,
        graceDays: 30,
        blocks: false,
        reason: row.version === 1 ? 'The first version' : 'Decided by the council',
        preparedBy: loginOf(first).loginId,
        preparedAt,
        proposedBy: loginOf(first).loginId,
        confirmedBy: loginOf(second).loginId,
        confirmedAt: instantBefore(beginsAt, 35 * DAY_MS),
      })
      .execute(),
  );
}

/** Three texts of earlier years. Everyone who is asked accepted them, so that no banner stands above the pages of the demo. */
export async function addDemoLife(registry: DemoRegistry): Promise<void> {
  const { profile, today } = registry;
  const year = Number(dayIn(profile.timeZone, today).slice(0, 4));
  const made = { people: ['stella', 'stan'] as const, changes: '', renews: true };
  await make(registry, {
    ...made,
    text: 'terms-of-service',
    version: 1,
    title: 'Terms of service',
    validFrom: `${year - 3}-01-01`,
    body: terms.replace('2. Run programs with API keys, at the rates that the documentation names.', '2. Upload changes of whois objects.'),
    asks: [],
  });
  await make(registry, {
    ...made,
    text: 'terms-of-service',
    version: 2,
    title: 'Terms of service',
    validFrom: `${year - 1}-07-01`,
    body: terms,
    changes: 'API keys are covered.',
    asks: [],
  });
  await make(registry, {
    ...made,
    text: 'membership-agreement',
    version: 1,
    title: 'Membership agreement',
    validFrom: `${year - 2}-01-01`,
    body: agreement,
    asks: ['corporate'],
  });
  await make(registry, {
    ...made,
    text: 'acceptable-use-of-whois',
    version: 1,
    title: 'Acceptable use of whois',
    validFrom: `${year - 2}-07-01`,
    body: whois,
    asks: [],
  });
  await registry.change({ action: 'demo.acceptLegalTexts', summary: 'Accepted legal texts' }, change =>
    change.rows(sql`
      insert into legal_acceptance (text, version, login_id, account_name, accepted_at)
      select 'membership-agreement', 1, min(c.login_id), c.account_name, ${instantBefore(today, 30 * DAY_MS)}::timestamptz from contact c join account m using (account_name)
      where c.status = 'active' and c.login_id is not null and 'corporate' = any (c.contact_types) and m.account_status <> 'closed' group by c.account_name`),
  );
}
