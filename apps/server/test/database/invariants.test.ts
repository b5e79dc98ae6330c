import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { CompiledQuery, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { castBallot } from '../../src/modules/ballots/casting.ts';
import { newReceipt } from '../../src/modules/ballots/index.ts';
import { addElection, freezeRolls, ownBallots, publishElection, readHandOver, saveOptions } from '../../src/modules/elections/index.ts';
import { addDemoPools } from '../../src/modules/resources/demo-pools.ts';
import { publishAll } from '../../src/modules/rpki/index.ts';
import type { InvariantScope } from '../../src/platform/invariant.ts';
import { invariantsOf, violationInWords } from '../../src/platform/invariants.ts';
import { ballotOf, cast, openEncrypted } from '../encrypted-election.ts';
import { exampleElection } from '../example-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../portal.ts';

const line = { action: 'test', summary: 'Planted', traceId: '0'.repeat(32) };
/** An invoice over 100.00 with one line, and a payment of it. */
const invoice = (
  sequence: number,
): string => `insert into invoice (number, year, sequence, account_name, kind, issued_on, due_on, period_from, period_to, currency, org_name, billing_address, attention,
    tax_number, po_number, fee_schedule_id, ipv4, ipv6, asns, subtotal, tax, total, state, paid, paid_on, sha256)
  overriding user value values ('INV-2001-00000${sequence}', 2001, ${sequence}, 'EXAMPLE-AU', 'transfer', '2001-01-01', '2001-01-01', '2001-01-01', '2001-01-01', 'AUD', 'x', '{}', '', '', '', null, 0, 0, 0,
    100, 0, 100, 'paid', 100, '2001-01-01', '');
  insert into invoice_line (invoice_id, position, description, quantity, unit_price, amount) select max(invoice_id), 1, 'x', 1, 100, 100 from invoice;
  insert into limited_act (name, account_name, amount, made_by, made_at, activity_id) values ('received', 'EXAMPLE-AU', 100, 'x', now(), 0);
  insert into payment (account_name, invoice_id, method, amount, received_on, reference, recorded_by, recorded_at, limited_act_id) select 'EXAMPLE-AU', max(invoice_id), 'bank transfer', 100, '2001-01-01', 'x${sequence}', 'x', now(), (select max(limited_act_id) from limited_act) from invoice;
  `;
const lastChange = '(select max(policy_change_id) from policy_change)';
/** A confirmed change of a value of the policy, from a day in a month. */
/** SQL: a version of a legal text, which is in force, but for some columns. */
const legalVersion = (more: Record<string, string>): string => {
  const row = {
    text: "'a-text'",
    version: '1',
    title: "'A text'",
    body: "'x'",
    asks: "'{logins}'",
    renews: 'true',
    grace_days: '30',
    blocks: 'false',
    valid_from: "date '2025-01-01'",
    begins_at: "timestamptz '2024-12-31T14:00:00Z'",
    reason: "'x'",
    prepared_by: 'one',
    prepared_at: "'2024-11-01'",
    proposed_by: 'one',
    confirmed_by: 'other',
    confirmed_at: "'2024-11-02'",
    ...more,
  };
  return `insert into legal_version (${Object.keys(row).join()}) select ${Object.values(row).join()} from (select min(login_id) as one, max(login_id) as other from login) l;\n`;
};

/** SQL: a hold of EXAMPLE-AU for a week, since some seconds ago, but for some columns. */
const restraint = (more: Record<string, string>): string => {
  const row = {
    account_name: "'EXAMPLE-AU'",
    kind: "'hold'",
    reason: "'hijack'",
    member_text: "'x'",
    set_by: 'one',
    set_at: "now() - interval '5 seconds'",
    set_activity: '0',
    begins_at: "now() - interval '5 seconds'",
    began_at: "now() - interval '5 seconds'",
    ends_at: "now() + interval '7 days'",
    ...more,
  };
  return `insert into account_restraint (${Object.keys(row).join()}) select ${Object.values(row).join()} from (select min(login_id) as one from login) l;\n`;
};

/** SQL: a confirmed change of the brand, in force since an hour ago, but for some columns. */
const brandChange = (more: Record<string, string>): string => {
  const row = {
    begins_at: "now() - interval '1 hour'",
    changed: `'{"registryName": {"before": "x", "after": "y"}}'`,
    reason: "'x'",
    prepared_by: 'one',
    prepared_at: "now() - interval '2 hours'",
    proposed_by: 'one',
    confirmed_by: 'other',
    confirmed_at: "now() - interval '1 hour'",
    ...more,
  };
  return `insert into brand_change (${Object.keys(row).join()}) select ${Object.values(row).join()} from (select min(login_id) as one, max(login_id) as other from login) l;\n`;
};

/** SQL: an acceptance of version 1 of a legal text. */
const acceptance = (text: string, at: string): string =>
  `insert into legal_acceptance (text, version, login_id, accepted_at) select '${text}', 1, login_id, ${at} from login where username = 'nadia';`;

const policyChange = (value: string, name = 'requestPolicy.promiseHours'): string =>
  `insert into policy_change (valid_from, begins_at, reason, prepared_by, prepared_at)
    select current_date + 30, (current_date + 30)::timestamp at time zone 'Australia/Brisbane', 'x', min(login_id), now() from login;
  insert into policy_value (policy_change_id, name, value, before, valid_from) select max(policy_change_id), '${name}', '${value}', '16', current_date + 30 from policy_change;
  update policy_change set proposed_by = prepared_by, confirmed_by = (select max(login_id) from login), confirmed_at = now() where policy_change_id = ${lastChange};
  update policy_value set is_confirmed = true where policy_change_id = ${lastChange};
  `;
/** A bank transfer of 100.00 that is not matched. */
const transfer = `insert into bank_statement (file_name, format, bank_account, imported_by, imported_at, added) select 'x', 'CSV', '', min(login_id), now(), 1 from login;
  insert into bank_line (bank_statement_id, fingerprint, booked_on, currency, amount, payer, remittance, reference) select max(bank_statement_id), 'x', '2001-01-01', 'AUD', 100, 'x', '', 'x' from bank_statement;
  `;
const delegation = (kind: string): string =>
  `(select delegation_id from delegation where account_name = 'EXAMPLE-AU' and kind = '${kind}' and status = 'active' order by delegation_id limit 1)`;

/** One vote with a ballot of the registry's own, which runs. */
async function castOne({ db, context, as }: TestPortal): Promise<void> {
  const electionId = await db.change(line, async change => {
    const made = await addElection({ change, body: exampleElection({ seats: 2, maxSelections: 2 }) });
    await saveOptions({
      change,
      params: { electionId: made.electionId },
      body: { rows: ['Ada', 'Bo', 'Cy'].map(name => ({ name, statement: '' })) },
    });
    await publishElection({
      change,
      params: { electionId: made.electionId },
      body: { version: made.version },
      publishedAt: new Date(Date.now() - 5 * DAY_MS),
    });
    return made.electionId;
  });
  await freezeRolls(db, new Date(), context.profile);
  const { url } = (await (await as('corin'))(api.ballots.openBallot, { account: 'EXAMPLE-AU', electionId })).data!;
  const handed = readHandOver(ownBallots(context.config).secret, Object.fromEntries(new URL(url).searchParams));
  await castBallot(context, handed!, { receipt: newReceipt(), choices: [1] });
}

/** A sub-account of the national registry, with the first addresses of a delegation. */
const subaccount = `insert into nir_entity (account_name, name, updated_at) values ('NATREG-XX', 'x', now());
  insert into subaccount (account_name, name, entity_id, opened_on, updated_at) select 'NATREG-XX', 'DRAWN-XX', max(entity_id), current_date, now() from nir_entity;
  insert into nir_delegation (account_name, subaccount_id, kind, first, last, resource, size, start, type, pool, delegated_on)
    select 'NATREG-XX', (select max(subaccount_id) from subaccount), kind, first, first, host(first) || '/32', 1, 0, 'assigned', 'nir', current_date
    from delegation where account_name = 'NATREG-XX' and kind = 'ipv4' limit 1;
  `;

/** A transfer of a whole delegation that is offered, with its lock. */
const offered = `insert into resource_request (account_name, kind, state, form, requested_by, started_at, since, submitted_at)
    select 'EXAMPLE-AU', 'transfer', 'offered', jsonb_build_object('resources', jsonb_build_array(resource)), (select min(login_id) from login), now(), now(), now()
    from delegation where delegation_id = ${delegation('ipv6')};
  insert into locked_part (reference, account_name, kind, first, last, resource, act, locked_at)
    select 'REQ-' || (select max(resource_request_id) from resource_request), account_name, kind, first, last, resource, 'transfer', now()
    from delegation where delegation_id = ${delegation('ipv6')};
  `;

/** Statements that break each invariant past every guard, and the expected messages. */
const planted: Record<string, readonly (readonly [what: string, statement: string, says: RegExp])[]> = {
  'resources.onceOnly': [
    [
      'a pool has what is delegated',
      `insert into pool (kind, first, last, resource, size, state, registry) select kind, first, last, resource, size, 'available', '' from delegation where delegation_id = ${delegation('ipv4')}`,
      /has numbers that .* \((pool|delegation of EXAMPLE-AU)\) has as well/,
    ],
  ],
  'resources.registrationsInDelegations': [
    [
      'the delegation of a registration is closed',
      `update delegation set status = 'closed' where delegation_id = (select delegation_id from assignment limit 1)`,
      /hangs below .*, which is closed/,
    ],
    [
      'a registration is of another account',
      `update assignment set account_name = 'OTHER-SG' where assignment_id = (select min(assignment_id) from assignment where account_name = 'EXAMPLE-AU')`,
      /which EXAMPLE-AU holds/,
    ],
  ],
  'mail.texts': [
    [
      'a text has a word that its mail does not have',
      `insert into mail_text_version (kind, version, subject, body, program_subject, program_body, reason, login_id, guarded, saved_at)
        select 'announcements.news', 1, '{gone}', '{body}', '{title}', '{body}', 'A test', min(login_id), false, now() from login`,
      /announcements\.news isn’t sent, because its subject can’t be filled: This mail doesn’t have \{gone\}/,
    ],
    [
      'a text is of a kind that there is not',
      `insert into mail_text_version (kind, version, subject, body, program_subject, program_body, reason, login_id, guarded, saved_at)
        select 'no.such', 1, 'A subject', 'A text', 'A subject', 'A text', 'A test', min(login_id), false, now() from login`,
      /no\.such is of a kind of mail that there isn’t/,
    ],
  ],
  'resources.delegable': [
    [
      'AS0 is delegated',
      `update delegation set first_as = 0, last_as = 0, size = 1, resource = 'AS0' where delegation_id = ${delegation('asn')}`,
      /AS0 of EXAMPLE-AU is set aside/,
    ],
    [
      'an address of its own is delegated',
      `update delegation set last = first, size = 1 where delegation_id = ${delegation('ipv6')}`,
      /has a \/128, which is smaller than a \/48/,
    ],
  ],
  'whois.ledger': [
    [
      'a delegation has another holder',
      `update delegation set account_name = 'OTHER-SG' where delegation_id = ${delegation('ipv4')}`,
      /is held by OTHER-SG, and its object is kept for EXAMPLE-AU/,
    ],
    [
      'a delegation has no object',
      `delete from whois_object where kept_for = 'EXAMPLE-AU' and class = 'inetnum'`,
      /has no object in whois/,
    ],
    [
      'an object has no delegation',
      `update delegation set status = 'closed' where delegation_id = ${delegation('asn')}`,
      /says that EXAMPLE-AU holds it, and the ledger does not/,
    ],
  ],
  'whois.handles': [
    [
      'a person has the handle of a role',
      `insert into whois_object (class, key, shown, text, version, registry_maintained, kept, created_at, changed_at, handle_shared)
        select 'person', key, shown, text, 1, false, false, now(), now(), true from whois_object where class = 'role' limit 1`,
      /The handle .* names several objects: person .* and role/,
    ],
  ],
  'whois.maintainers': [
    [
      'a route is maintained by a stranger',
      `update whois_reference set value = (select lower(maintainer) from maintainer_link where account_name = 'OTHER-SG' limit 1)
        where attribute = 'mnt-by' and object_id = (select object_id from whois_object where class = 'route' and key like '198.18.%' order by object_id limit 1)`,
      /of OTHER-SG, and .* is held by EXAMPLE-AU, which has not let it in/,
    ],
  ],
  'whois.abuseContacts': [
    [
      'a network names the irt of the registry',
      `update whois_reference set value = 'irt-example-hm' where attribute = 'mnt-irt'
        and object_id = (select object_id from whois_object where class = 'inetnum' and kept_for = 'EXAMPLE-AU' order by object_id limit 1)`,
      /names IRT-EXAMPLE-HM of the registry for abuse reports, and EXAMPLE-AU holds its numbers/,
    ],
  ],
  'roles.separation': [
    [
      'a finance clerk is also a director',
      `insert into staff_assignment (login_id, ready_made, given_at, reason, starts_at) select login_id, 'director', now(), 'x', now() from login where username = 'fiona'`,
      /Fiona Doi holds “Record payments” and “Write off and refund” by the roles Finance, Director/,
    ],
  ],
  'roles.administrator': [
    [
      'all administrators are gone',
      `update staff_assignment set withdrawn_at = now(), withdrawn_reason = 'x' where ready_made = 'administrator'`,
      /Registry staff has no one who can sign in and administer it/,
    ],
  ],
  'nir.insideDelegations': [
    [
      'a national registry gave what it no longer holds',
      `${subaccount}update delegation set status = 'closed' where account_name = 'NATREG-XX'`,
      /lies in no delegation of NATREG-XX/,
    ],
  ],
  'nir.onceOnly': [
    [
      'a closed sub-account holds something',
      `${subaccount}update subaccount set status = 'closed', closed_on = current_date where subaccount_id = (select subaccount_id from nir_delegation limit 1)`,
      /is held by a sub-account that is closed/,
    ],
  ],
  'billing.books': [
    [
      'a payment is changed',
      `${invoice(1)}update payment set amount = amount + 1 where payment_id = (select max(payment_id) from payment)`,
      /says that .* were paid, and its payments come to/,
    ],
    [
      'a line is changed',
      `${invoice(1)}update invoice_line set quantity = 2, amount = 200 where invoice_id = (select max(invoice_id) from invoice_line)`,
      /charges .*, and its lines come to/,
    ],
  ],
  'billing.credit': [
    [
      'credit is used twice',
      `${invoice(1)}insert into account_credit (account_name, amount, payment_id, at) select account_name, -1000000, payment_id, now() from payment limit 1`,
      /is -\d/,
    ],
  ],
  'billing.transfers': [
    [
      'a transfer is recorded without a payment',
      `${transfer} update bank_line set state = 'recorded', resolved_by = (select min(login_id) from login), resolved_at = now()`,
      /is recorded, and its payments come to 0/,
    ],
    [
      'a payment is of a transfer that is still open',
      `${invoice(1)}${transfer} update payment set bank_line_id = (select max(bank_line_id) from bank_line) where payment_id = (select max(payment_id) from payment)`,
      /is open, and payments of 100.00 were recorded from it/,
    ],
  ],
  'billing.repeats': [
    [
      'one person records the same words twice',
      `${invoice(1)}${invoice(2)}update payment set repeats = (select max(e.payment_id) from payment e where e.payment_id < payment.payment_id)
       where payment_id = (select max(payment_id) from payment)`,
      /has the reference of an earlier one, and one person recorded it/,
    ],
  ],
  'billing.terms': [
    [
      'a term stays open whose invoice was written off',
      `${invoice(1)}update account set expiry_date = '2099-01-01' where account_name = 'EXAMPLE-AU';
       update invoice set kind = 'renewal', fee_schedule_id = (select min(fee_schedule_id) from fee_schedule), state = 'written-off', paid = 0, paid_on = null, written_off = 100,
         written_off_on = '2001-02-01', write_off_reason = 'x', write_off_act_id = (select max(limited_act_id) from limited_act), period_to = '2099-01-01'
       where number = 'INV-2001-000001'`,
      /The term of EXAMPLE-AU ends on 2099-01-01, and INV-2001-000001, which was to pay for it, never was/,
    ],
  ],
  'billing.cancelled': [
    [
      'a fee is cancelled without a credit note',
      `${invoice(1)}update invoice set state = 'cancelled', paid = 0, paid_on = null, cancelled_at = now(), cancel_reason = 'x' where number = 'INV-2001-000001'`,
      /The invoice INV-2001-000001 is cancelled, and no credit note takes back 100\.00 of it/,
    ],
  ],
  'billing.endedFees': [
    [
      'a case ended while its invoice was issued',
      `${invoice(1)}insert into transfer_fee (account_name, reference, description, amount, days, kind, charged_at, cancelled_at, invoice_id)
        select account_name, 'REQ-9001', 'Transfer fee', 100, 30, 'transfer', now(), now(), invoice_id from invoice where number = 'INV-2001-000001';
        update invoice set state = 'issued', paid = 0, paid_on = null where number = 'INV-2001-000001'`,
      /The invoice INV-2001-000001 asks for the fee of REQ-9001, which ended/,
    ],
  ],
  'billing.limits': [
    [
      'a person did more alone than allowed',
      `insert into limit_in_force (name, account, person, everyone, days, since) values ('given', 10, 100, 100, 30, now() - interval '1 day');
       insert into limited_act (name, account_name, amount, made_by, made_at, activity_id) values ('given', 'EXAMPLE-AU', 9, 'x', now(), 0), ('given', 'EXAMPLE-AU', 9, 'y', now(), 0)`,
      /makes 18\.00 under the limit "given" for one account, by anyone, which is 10\.00/,
    ],
  ],
  'restraints.moves': [
    [
      'numbers leave an account under a hold',
      `${restraint({})} insert into row_change (activity_id, table_name, operation, before, after)
       select (select max(activity_id) from activity), 'delegation', 'UPDATE', to_jsonb(d), to_jsonb(d) || '{"account_name": "OTHER-SG"}' from delegation d where delegation_id = ${delegation('ipv4')}`,
      /of EXAMPLE-AU changed hands while the account was under a hold, by activity \d+/,
    ],
  ],
  'restraints.people': [
    ['a person confirms a restriction alone', restraint({ kind: "'restrict'", confirmed_by: 'one' }), /was confirmed by no second person/],
    ['a hold lasts a year', restraint({ ends_at: "now() + interval '1 year'" }), /lasts longer than 14 days/],
    [
      'a person sets a hold alone after another',
      `${restraint({ ended_at: 'now()' })} ${restraint({})}`,
      /was confirmed by no second person/,
    ],
  ],
  'restraints.published': [
    [
      'a ROA of an account under a restriction is gone',
      `${restraint({ kind: "'restrict'", confirmed_by: '(select max(login_id) from login)' })} insert into row_change (activity_id, table_name, operation, before, after)
       values ((select max(activity_id) from activity), 'roa', 'DELETE', '{"account_name": "EXAMPLE-AU", "prefix": "198.18.0.0/24"}', null)`,
      /The ROA of 198.18.0.0\/24 of EXAMPLE-AU changed while the account was under a restriction, by activity \d+/,
    ],
  ],
  'whois.restrained': [
    [
      'a person of an account under a restriction changes a whois object',
      `${restraint({ kind: "'restrict'", confirmed_by: '(select max(login_id) from login)' })}
       insert into activity (action, summary, trace_id, account_name, login_issuer, login_subject, happened_at) values ('test', 'x', 'x', 'EXAMPLE-AU', 'x', 'x', now());
       insert into whois_journal (serial, operation, class, key, shown, version, text, activity_id, happened_at)
         select max(serial) + 1, 'ADD', 'person', 'zz9-ex', 'ZZ9-EX', 1, 'x', (select max(activity_id) from activity), now() from whois_journal`,
      /person ZZ9-EX of EXAMPLE-AU changed while the account was under a restriction/,
    ],
  ],
  'brand.twoPeople': [
    [
      'a person confirms a change alone',
      `alter table brand_change drop constraint brand_change_two_people;
       ${brandChange({ confirmed_by: 'one' })}`,
      /was confirmed by no second person/,
    ],
    [
      'a change is confirmed after it began',
      `alter table brand_change drop constraint brand_change_in_time;
       ${brandChange({ confirmed_at: 'now()' })}`,
      /was confirmed after it began/,
    ],
    [
      'a colour that can’t be read is confirmed',
      brandChange({ changed: `'{"accentLight": {"before": "", "after": "#ffff00"}}'` }),
      /“accentLight” of the brand from .* is #ffff00, and must be /,
    ],
    [
      'a value that this version doesn’t have is confirmed',
      brandChange({ changed: `'{"typeface": {"before": "", "after": "x"}}'` }),
      /“typeface” of the brand from .* is no value that this version has/,
    ],
  ],
  'brand.logos': [
    [
      'a logo is confirmed that no one uploaded',
      brandChange({ changed: `'{"logoLight": {"before": "", "after": "${'a'.repeat(64)}-300.png"}}'` }),
      /The logo a{64}-300\.png\W* is named by the brand, and no file is kept/,
    ],
  ],
  'policy.twoPeople': [
    [
      'a person confirms a change alone',
      `alter table policy_change drop constraint policy_change_two_people;
       ${policyChange('24')}update policy_change set confirmed_by = proposed_by where policy_change_id = (select max(policy_change_id) from policy_change)`,
      /was confirmed by no second person/,
    ],
    [
      'a change is withdrawn past the program',
      `${policyChange('24')}update policy_change set ended_at = now(), ended_by = 'x', ended_with = 'y' where policy_change_id = (select max(policy_change_id) from policy_change)`,
      /has values that count, though it doesn’t/,
    ],
    [
      'a change is confirmed after the last hour',
      `alter table policy_change drop constraint policy_change_in_time;
       ${policyChange('24')}update policy_change set confirmed_at = begins_at where policy_change_id = ${lastChange}`,
      /was confirmed after the last hour before its day/,
    ],
    [
      'a value of a confirmed change doesn’t count',
      `${policyChange('24')}update policy_value set is_confirmed = false where policy_change_id = ${lastChange}`,
      /has values that don’t count, or of another day/,
    ],
    [
      'a change begins at another instant than its day',
      `${policyChange('24')}update policy_change set begins_at = begins_at + interval '3 hours' where policy_change_id = ${lastChange}`,
      /begins at another instant than its day/,
    ],
    [
      'two changes of a value begin on one day',
      `drop index policy_value_of_day;
       ${policyChange('24')}${policyChange('20')}`,
      /changes a value for which another one counts from the same day/,
    ],
  ],
  'features.settings': [
    [
      'a feature is on for named accounts, and names none',
      `insert into feature_setting (feature, edition, stands, reason, changed_by, changed_at) select 'zonefiles', 1, 'accounts', 'x', min(login_id), now() from login`,
      /Setting 1 of the feature zonefiles is on for named accounts, and names none/,
    ],
    [
      'a feature that is off names accounts',
      `insert into feature_setting (feature, edition, stands, reason, changed_by, changed_at) select 'zonefiles', 1, 'off', 'x', min(login_id), now() from login;
       insert into feature_account (feature, edition, account_name) values ('zonefiles', 1, 'EXAMPLE-AU')`,
      /names accounts, though it isn’t for some accounts/,
    ],
    [
      'a setting is missing',
      `insert into feature_setting (feature, edition, stands, reason, changed_by, changed_at) select 'zonefiles', 2, 'off', 'x', min(login_id), now() from login`,
      /Setting 2 of the feature zonefiles follows one that is missing/,
    ],
  ],
  'legal.versions': [
    [
      'a version is confirmed by one person',
      `alter table legal_version drop constraint legal_version_two_people;
       ${legalVersion({ confirmed_by: 'one' })}`,
      /Version 1 of the legal text a-text was confirmed by no second person/,
    ],
    ['a number is left out', legalVersion({ version: '2' }), /Version 2 of the legal text a-text has a number that doesn’t follow/],
    [
      'a version begins before the one before',
      legalVersion({}) + legalVersion({ version: '2', valid_from: "date '2024-12-31'", begins_at: "timestamptz '2024-12-30T14:00:00Z'" }),
      /Version 2 of the legal text a-text doesn’t begin after the version before/,
    ],
    [
      'a version in force is withdrawn',
      `alter table legal_version drop constraint legal_version_in_time;
       ${legalVersion({ ended_at: 'now()', ended_by: 'one', ended_with: 'other' })}`,
      /was withdrawn after its day had begun/,
    ],
    [
      'a version begins at another hour',
      legalVersion({ begins_at: "timestamptz '2024-12-31T15:00:00Z'" }),
      /begins on .+, not at the beginning of .+ in Australia\/Brisbane/,
    ],
  ],
  'legal.agreement': [
    [
      'two texts ask applicants',
      legalVersion({ asks: "'{applicants}'" }) + legalVersion({ text: "'b-text'", asks: "'{applicants}'" }),
      /The legal texts a-text and b-text both ask applicants on the same day/,
    ],
  ],
  'legal.acceptances': [
    [
      'a text was accepted before it was in force',
      legalVersion({}) + acceptance('a-text', "'2000-01-01'"),
      /was recorded before it was in force/,
    ],
    [
      'an earlier version was accepted',
      legalVersion({}) +
        legalVersion({ version: '2', valid_from: "date '2025-03-01'", begins_at: "timestamptz '2025-02-28T14:00:00Z'" }) +
        acceptance('a-text', 'now()'),
      /was recorded when a later version was in force/,
    ],
    ['a text was accepted in the future', legalVersion({}) + acceptance('a-text', "'2999-01-01'"), /was recorded in the future/],
    [
      'a version that was withdrawn was accepted',
      `alter table legal_version drop constraint legal_version_in_time;
       ${legalVersion({ ended_at: "'2025-02-01'", ended_by: 'one', ended_with: 'other' })}${acceptance('a-text', 'now()')}`,
      /was recorded though it had been withdrawn/,
    ],
  ],
  'policy.values': [
    [
      'a value is out of bounds',
      policyChange('0'),
      /“Working hours to an answer of the registry” from .+ is 0, and must be a whole number from 1 to 1,000/,
    ],
    ['a value is none of this version', policyChange('1', 'requestPolicy.gone'), /is no value that this version changes on a day/],
    [
      'a value is above one that it may not be above',
      policyChange('900000', 'requestPolicy.lirNow'),
      /“requestPolicy.lirNow” from .+ is 900000, above “requestPolicy.lirYear”/,
    ],
  ],
  'billing.counted': [
    [
      'a payment is counted with less',
      `${invoice(1)}update limited_act set amount = 1 where limited_act_id = (select max(limited_act_id) from limited_act)`,
      /is 100\.00, and counted as 1\.00/,
    ],
  ],
  'billing.closedMonths': [
    [
      'a payment is moved into a closed month',
      `${invoice(1)}insert into closed_month (month, closed_by, confirmed_by, closed_at, entries, journal, sha256)
         values ('2001-02-01', 'x', 'y', now(), 0, '', encode(sha256(''), 'hex'));
       update payment set received_on = '2001-02-03' where payment_id = (select max(payment_id) from payment)`,
      /is no longer what its documents say/,
    ],
  ],
  'billing.numbers': [
    ['an invoice is gone', `${invoice(1)}${invoice(2)}delete from invoice where sequence = 1`, /are \d+, and the last has the number \d+/],
  ],
  'elections.ballotsOfVoters': [
    [
      'a vote has no ballot',
      `delete from election_vote where election_id = (select max(election_id) from election)`,
      /has 0 voters and 1 ballots/,
    ],
  ],
  'elections.votesOfRoll': [
    [
      'a vote counts more',
      `update election_vote set votes = 64 where election_id = (select max(election_id) from election)`,
      /counts 64, and the roll gives it/,
    ],
  ],
  'elections.seeds': [
    [
      'an election with nominations has no seed',
      `insert into election_window (election_id, kind, opens_at, closes_at) select max(election_id), 'nomination', now(), now() + interval '1 day' from election where state = 'published';
       update election_window set opens_at = now() + interval '2 days', closes_at = now() + interval '9 days' where kind = 'member-vote'`,
      /has nominations, and no seed was drawn/,
    ],
  ],
  'ballots.boxFunctions': [
    ['a function of the box is missing', `alter function ballots.mix_box() rename to mix_no_box`, /The ballot box has no function mix_box/],
  ],
  'elections.ballotsAsCast': [
    ['a choice is changed', `update ballots.ballot set choices = '{2}'`, /has ballots that are not those that were cast/],
    ['a ballot is exchanged', `update ballots.ballot set receipt = 'AAAAAAAAAAAAAAAA'`, /has ballots that are not those that were cast/],
    [
      'a ballot is put in',
      `insert into ballots.ballot select 'AAAAAAAAAAAAAAAA', election_id, generation, votes, choices from ballots.ballot`,
      /put in or taken out past the portal/,
    ],
    ['a ballot is taken out', `delete from ballots.ballot`, /put in or taken out past the portal/],
    ['the sum is taken away', `delete from ballot_sum`, /nothing that its ballots add up to/],
  ],
  'encryptedBallots.archives': [
    [
      'a ballot is changed',
      `update ballot_event set bytes = set_byte(bytes, 700, 255 - get_byte(bytes, 700)) where kind = 'Ballot'`,
      /does not hold/,
    ],
    [
      'an event has another hash',
      `update ballot_event set hash = encode(sha256('x'), 'hex') where kind = 'Ballot'`,
      /has other events, ballots or votes than are kept/,
    ],
    [
      'credentials have other votes',
      `update ballot_event set bytes = decode(replace(encode(bytes, 'escape'), ',64"', ',63"'), 'escape') where kind = 'Setup'`,
      /does not hold/,
    ],
  ],
  'encryptedBallots.notedEvents': [
    [
      'a noted event is not there any more',
      `insert into noted_event (election_id, height, hash, noted_at) select max(election_id), 1, repeat('0', 64), now() from encrypted_ballot`,
      /has another event 1 than was noted/,
    ],
  ],
  'encryptedBallots.objections': [
    [
      'a ballot is cast over an open objection',
      `insert into roll_objection (election_id, account_name, about, reason, made_by, made_at, votes_then)
        select b.election_id, 'EXAMPLE-AU', 'votes', 'x', (select contact_id from contact limit 1), now(), 8 from ballot_event b where b.kind = 'Ballot' limit 1`,
      /The objection of EXAMPLE-AU in .* is open, and ballots have been cast/,
    ],
    [
      'the roll differs from what an objection was upheld for',
      `insert into roll_objection (election_id, account_name, about, reason, state, made_by, made_at, votes_then, decided_by, decided_at, votes_given, answer)
        select b.election_id, 'EXAMPLE-AU', 'votes', 'x', 'upheld', (select contact_id from contact limit 1), now(), 8, (select login_id from login limit 1), now(), 16, 'x'
        from ballot_event b where b.kind = 'Ballot' limit 1`,
      /The objection of EXAMPLE-AU in .* gave it 16, and the roll gives it 8/,
    ],
    [
      'votes were given that no account has in such an election',
      `update election set kind = 'other' where set_up_at is not null;
       insert into roll_objection (election_id, account_name, about, reason, state, made_by, made_at, votes_then, decided_by, decided_at, votes_given, answer)
        select b.election_id, 'EXAMPLE-AU', 'votes', 'x', 'upheld', (select contact_id from contact limit 1), now(), 8, (select login_id from login limit 1), now(), 16, 'x'
        from ballot_event b where b.kind = 'Ballot' limit 1`,
      /The objection of EXAMPLE-AU in .* gave it 16, where accounts have one vote/,
    ],
  ],
  'encryptedBallots.objectionTime': [
    [
      'the roll was shown a day before objections ended',
      `update election set roll_frozen_at = (select min(opens_at) from election_window w where w.election_id = election.election_id) - interval '2 days' where set_up_at is not null`,
      /The roll of .* was shown too late: Accounts have at least 72 hours/,
    ],
  ],
  'encryptedBallots.ballotsOfVoters': [
    [
      'a vote has no ballot',
      `insert into election_vote (election_id, generation, account_name, votes, cast_as, voter_name, cast_at) select max(election_id), 1, 'OTHER-SG', 4, 'member', 'x', now() from encrypted_ballot`,
      /with 4 votes 1 accounts voted, and 0 ballots are in the archive/,
    ],
    [
      'a ballot is taken out',
      `delete from ballot_event where kind = 'Ballot'`,
      /with 8 votes 1 accounts voted, and 0 ballots are in the archive/,
    ],
    [
      'a ballot has no vote',
      `delete from election_vote where election_id = (select max(election_id) from encrypted_ballot)`,
      /with 8 votes 0 accounts voted, and 1 ballots are in the archive/,
    ],
  ],
  'encryptedBallots.creditedVotes': [
    [
      'a vote counts more',
      `update election_vote set votes = 64 where election_id = (select max(election_id) from encrypted_ballot)`,
      /The vote of EXAMPLE-AU in .* counts 64, and the roll gives it 8/,
    ],
    [
      'the roll gives an account more',
      `update election_roll set votes = 64 where account_name = 'OTHER-SG' and election_id = (select max(election_id) from encrypted_ballot)`,
      /64 votes 2 accounts have as many on the roll, and 1 credentials/,
    ],
  ],
  'requests.locks': [
    [
      'a delegation is locked by nothing',
      `update delegation set status = 'locked' where delegation_id = ${delegation('ipv6')}`,
      /is locked, and no open case needs that/,
    ],
    [
      'the case of a lock is over',
      `${offered} update resource_request set state = 'withdrawn', resolved_at = now() where state = 'offered'`,
      /is locked by REQ-\d+, and no open case needs that/,
    ],
    ['the lock of a case is gone', `${offered} delete from locked_part`, /is to move .*, which is not locked/],
    [
      'what a recipient has read is not fixed',
      `${offered} update resource_request set state = 'submitted' where state = 'offered'`,
      /has its recipient’s word, and what stands over .* still changes/,
    ],
  ],
  'requests.grounds': [
    [
      'IPv6 is given to an exchange by the wrong door',
      `insert into resource_request (account_name, kind, state, form, requested_by, started_at, since, submitted_at, resolved_at)
        select 'EXAMPLE-AU', 'ipv6', 'completed', '{"path": "ixp"}', login_id, now(), now(), now(), now() from login limit 1`,
      /was given IPv6 addresses on grounds that these can't have: Internet exchange point/,
    ],
  ],
  'requests.orphans': [
    [
      'space is held for a case that is over',
      `update pool set state = 'reserved', held_for = 'REQ-999999' where pool_id = (select min(pool_id) from pool)`,
      /is held for REQ-999999, which is no case/,
    ],
    [
      'a fee is charged for a case that is over',
      `insert into transfer_fee (account_name, reference, description, amount, days, charged_at) values ('OTHER-SG', 'REQ-999999', 'x', 1, 1, now())`,
      /is to be paid, and the case is not there/,
    ],
  ],
  'requests.preApprovals': [
    [
      'a pre-approval lost a block that no case used',
      `with granting as (insert into resource_request (account_name, kind, state, form, requested_by, started_at, since, submitted_at, resolved_at)
          select 'LABNET-AU', 'pre-approval', 'completed', '{"blocks": 4}', login_id, now(), now(), now(), now() from login limit 1 returning resource_request_id)
        insert into pre_approval (account_name, resource_request_id, granted, remaining, granted_on, expires_on)
        select 'LABNET-AU', resource_request_id, 4, 3, current_date, current_date + 700 from granting`,
      /has 3 left of 4, of which cases use 0/,
    ],
  ],
  'reverseDns.zones': [
    [
      'a zone is published that whois does not have',
      `insert into rdns_parent (parent, serial, sha256, delegations, published_at) values ('198.in-addr.arpa', 1, '', 1, now()) on conflict do nothing;
       insert into rdns_published (zone, parent, version, serial, published_at) values ('250.18.198.in-addr.arpa', '198.in-addr.arpa', 1, 1, now())`,
      /250.18.198.in-addr.arpa is published, and not in whois/,
    ],
  ],
  'rpki.certificates': [
    [
      'what was certified has another holder',
      `update delegation set account_name = 'OTHER-SG' where delegation_id = ${delegation('asn')}`,
      /The certificate of EXAMPLE-AU has AS\d+.*, which it does not hold/,
    ],
  ],
  'rpki.formerHolders': [
    [
      'the authority of a member has numbers that were never its own',
      `insert into rpki_child (account_name, handle, child_handle, identity, created_at) values ('EXAMPLE-AU', 'aa', 'bb', '', now());
       insert into rpki_child_key (child_id, public_key, key_identifier, repository_uri, manifest_uri, certificate, resources, created_at)
       select child_id, '', 'cc', '', '', '', array[d.resource], now() from rpki_child, delegation d where d.account_name = 'OTHER-SG' and d.status <> 'closed' limit 1`,
      /The certificate of the authority of EXAMPLE-AU has \S+.*, which someone else holds/,
    ],
  ],
  'rpki.insideHoldings': [
    [
      'a ROA is for the numbers of others',
      `insert into roa (account_name, prefix, max_length, asn, comment, created_at) values ('EXAMPLE-AU', '198.51.100.0/24', 24, 64500, '', now())`,
      /The ROA 198.51.100.0\/24 AS64500 is of EXAMPLE-AU/,
    ],
  ],
  'rpki.suspended': [
    [
      'an account is closed without a notice to the publisher',
      `update account set account_status = 'closed' where account_name = 'EXAMPLE-AU'`,
      /The account EXAMPLE-AU is closed, and rsync:\S+ is still published/,
    ],
    [
      'the day of a suspended account has passed',
      `update account set account_status = 'suspended' where account_name = 'EXAMPLE-AU';
       insert into rpki_suspension values ('EXAMPLE-AU', now(), '2026-01-02', '2026-01-02T00:00:00Z', null)`,
      /The account EXAMPLE-AU is suspended, with 2026-01-02 as the day of withdrawal, and rsync:\S+ is still published/,
    ],
  ],
  'rpki.deltas': [
    [
      'a delta is larger than all that is published',
      `insert into rrdp_delta (session_id, serial, name, content, sha256, published_at)
        select session_id, serial + 1, '', convert_to(repeat('x', 1000000), 'UTF8'), '', now() from rrdp_session where ended_at is null`,
      /has deltas of 1000\d+ bytes beside a snapshot of \d+/,
    ],
  ],
  'staff.riskMarks': [
    [
      'an account has one mark too many',
      `insert into risk_mark (account_name, title, reason, ends_on, set_by, set_at) select 'EXAMPLE-AU', 'Mark ' || n, 'Of a test', current_date + 30, min(login_id), now() from login, generate_series(1, 21) n group by n`,
      /The account EXAMPLE-AU has 21 risk marks in force, and can have 20/,
    ],
    [
      'two marks have one title',
      `insert into risk_mark (account_name, title, reason, ends_on, set_by, set_at) select 'EXAMPLE-AU', title, 'Of a test', current_date + 30, min(login_id), now() from login, (values ('Twice'), ('TWICE')) t (title) group by title`,
      /The risk mark TWICE of EXAMPLE-AU is in force 2 times/i,
    ],
  ],
  'rpki.signedObjects': [
    [
      'a byte of a signed object is changed',
      `update rpki_object set content = set_byte(content, 40, 255 - get_byte(content, 40)) where kind = 'roa'`,
      /is not what was signed/,
    ],
    [
      'a byte is changed, and its hash',
      `update rpki_object set content = set_byte(content, 400, 255 - get_byte(content, 400)) where kind = 'manifest';
       update rpki_object set sha256 = sha256(content)`,
      /The RPKI repository does not validate/,
    ],
  ],
};

describe.each(kindsForRules)('invariants on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const account = 'EXAMPLE-AU';
    await corin(api.rpki.enable, { account });
    const { version } = (await corin(api.rpki.listRoas, { account, query: { limit: 1 } as never })).data!;
    const roa = { prefix: '198.18.0.0/19', asn: 'AS64500', comment: '' };
    await corin(api.rpki.changeRoas, { account, body: { version, add: [roa], remove: [] } });
    await publishAll(portal.context);
    const encrypted = await openEncrypted(portal);
    const body = await ballotOf(portal, encrypted, account, [0], 'corin');
    await cast(portal, encrypted.electionId, { as: 'corin', account, body });
    await castOne(portal);
    await portal.db.change(line, addDemoPools);
    return () => portal[Symbol.asyncDispose]();
  });

  /** Plants a violation past every guard, returns what the invariant reports, and rolls back. */
  const found = (name: string, statement: string, accounts: InvariantScope['accounts'] = null): Promise<string[]> =>
    portal.db.rehearse(line, async change => {
      await sql`set local session_replication_role = replica`.execute(change);
      for (const each of statement.split(/;\s*\n/)) await change.executeQuery(CompiledQuery.raw(each));
      const { check } = invariantsOf(portal.context.modules).find(invariant => invariant.name === name)!;
      const { profile, modules, config: secrets, clock } = portal.context;
      return (await check({ read: change, accounts, profile, modules, secrets, now: clock() })).map(violationInWords);
    });

  test('hold in the demo registry, and each has a test that breaks it', async () => {
    for (const { name } of invariantsOf(portal.context.modules)) expect([name, await found(name, 'select 1')]).toEqual([name, []]);
    expect(
      invariantsOf(portal.context.modules)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(Object.keys(planted).toSorted());
  });

  test.each(
    Object.entries(planted).flatMap(([name, cases]) => cases.map(([what, statement, says]) => [name, what, statement, says] as const)),
  )('%s: %s', async (name, _what, statement, says) => {
    expect((await found(name, statement)).join('\n')).toMatch(says);
  });
});
