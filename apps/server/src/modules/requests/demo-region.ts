import { DAY_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { emptyForm, type RequestForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { Random, RegionPart, RegionStage } from '../../platform/demo.ts';

const AT_ONCE = 2_000;
/** Requests for each account, in all its years. */
const OF_ACCOUNT = 1.5;
/** Days in which they were written. */
const DAYS = 5 * 365;
/** Days that are left to answer a question, and to complete a draft. */
const ANSWER_DAYS = 30;

type Kind = 'ipv4' | 'ipv6' | 'asn';
type State = 'draft' | 'submitted' | 'in-review' | 'needs-info' | 'completed' | 'rejected' | 'withdrawn' | 'expired';
type Writer = { accountName: string; loginId: string; ipv4: string | null; ipv6: string | null; asn: string | null };

const forms: Readonly<Record<Kind, Partial<RequestForm>>> = {
  ipv4: {
    path: 'lir',
    length: 24,
    network: 'A provider in two cities; the block of our upstream is full.',
    plan: [{ purpose: 'Broadband customers', amounts: [180, 290, 360] }],
    providerSpace: '100.64.12.0/24',
  },
  ipv6: { path: 'lir', length: 32, sites: 640, network: 'A regional provider with 640 sites planned over two years.' },
  asn: {
    multihomed: 'now',
    network: 'A data centre with two upstreams and its own routing policy.',
    neighbours: [
      { asn: 'AS64500', name: 'Example Networks' },
      { asn: 'AS64501', name: 'Other Cloud' },
    ],
  },
};
const notes: Readonly<Record<Kind, string>> = {
  ipv4: 'The plan of the first year is not more than what the account holds and doesn’t use.',
  ipv6: 'The plan fits into what the account holds.',
  asn: 'A network with one provider and no routing policy of its own doesn’t need an AS number.',
};

/** Returns a state as of a request of this age in days: old ones are closed, of the last weeks some wait for either side. */
function stateOf(age: number, holds: boolean, random: Random): State {
  if (age < 21 && random(3) > 0) return (['draft', 'submitted', 'in-review', 'needs-info'] as const)[random(4)]!;
  if (holds && random(2) === 0) return 'completed';
  return (['rejected', 'withdrawn', 'expired'] as const)[random(3)]!;
}

/** Requests of one kind by each of some accounts, so that none has two of a kind that are open. A completed one is for numbers of that kind that the account holds. */
async function writeRequests(
  change: Change,
  { writers, kind, staff, random, today }: { writers: readonly Writer[]; kind: Kind; staff: string; random: Random; today: string },
): Promise<number> {
  const ids = await change.rows<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('resource_request', 'resource_request_id'))::text as id from generate_series(1, ${writers.length}::integer)`,
  );
  const end = new Date(`${today}T00:00:00Z`);
  const requests = writers.map((writer, number) => {
    const age = random(4) === 0 ? random(21) + 1 : random(DAYS) + 21;
    const state = stateOf(age, writer[kind] !== null, random);
    const at = instantBefore(end, age * DAY_MS);
    const since = state === 'draft' || state === 'submitted' ? at : instantBefore(end, Math.max(0, age - 1 - random(9)) * DAY_MS);
    const isOpen = ['draft', 'submitted', 'in-review', 'needs-info'].includes(state);
    return {
      id: ids[number]!.id,
      accountName: writer.accountName,
      loginId: writer.loginId,
      state,
      at,
      since,
      submittedAt: state === 'draft' ? null : at,
      expiresAt: state === 'needs-info' || state === 'draft' ? instantAfter(end, ANSWER_DAYS * DAY_MS) : null,
      resolvedAt: isOpen ? null : since,
      note: state === 'rejected' ? notes[kind] : null,
      outcome: state === 'completed' ? { resources: [writer[kind]] } : null,
    };
  });
  const rows = JSON.stringify(requests);
  const given = sql`jsonb_to_recordset(${rows}::jsonb) as w (id bigint, "accountName" text, "loginId" text, state text, at timestamptz, since timestamptz, "submittedAt" timestamptz,
    "expiresAt" timestamptz, "resolvedAt" timestamptz, note text, outcome jsonb)`;
  await change.rows(sql`insert into resource_request (resource_request_id, account_name, kind, state, version, form, requested_by, started_at, submitted_at, since, expires_at, reviewer, decided_by,
      resolved_at, note, outcome) overriding system value
    select id, "accountName", ${kind}, state, 2, ${JSON.stringify({ ...emptyForm, ...forms[kind] })}::jsonb, "loginId", at, "submittedAt", since, "expiresAt",
      case when state in ('in-review', 'needs-info') then ${staff} end, case when state in ('rejected', 'completed') then ${staff} end, "resolvedAt", note, nullif(outcome, 'null'::jsonb)
    from ${given}`);
  await change.rows(sql`insert into resource_request_event (resource_request_id, kind, at, login_id, by_staff, account_name, words)
    select id, 'submitted', at, "loginId", false, "accountName", '' from ${given} where state <> 'draft'
    union all select id, 'in-review', since, ${staff}, true, null, '' from ${given} where state = 'in-review'
    union all select id, 'question', since, ${staff}, true, "accountName", 'Which of the networks are connected now?' from ${given} where state = 'needs-info'
    union all select id, 'approved', since, ${staff}, true, null, '' from ${given} where state = 'completed'
    union all select id, 'completed', since, null, true, null, outcome -> 'resources' ->> 0 from ${given} where state = 'completed'
    union all select id, 'rejected', since, ${staff}, true, null, note from ${given} where state = 'rejected'
    union all select id, state, since, case state when 'withdrawn' then "loginId" end, false, "accountName", '' from ${given} where state in ('withdrawn', 'expired')
    order by 1, 3`);
  return requests.length * 3;
}

const requests: RegionStage = {
  name: 'requests',
  title: 'Requests',
  parts: async ({ db, plan, random }) => {
    const writers = await db.read.rows<Writer>(sql`select a.account_name, c.login_id, d.ipv4, d.ipv6, d.asn from account a
      join lateral (select login_id from contact where account_name = a.account_name and status = 'active' and login_id is not null order by email limit 1) c on true
      left join lateral (select max(resource) filter (where kind = 'ipv4') as ipv4, max(resource) filter (where kind = 'ipv6') as ipv6, max(resource) filter (where kind = 'asn') as asn
        from delegation where account_name = a.account_name and status <> 'closed') d on true
      where a.statistics_id is not null and a.account_status = 'open' order by a.account_name`);
    const [staff] = await db.read.rows<{ loginId: string }>(sql`select login_id from login where username = 'stella'`);
    const ofKind = (kind: Kind): RegionPart[] => {
      const draw = random(`requests of ${kind}`);
      const chosen = writers.filter(() => draw(200) < (OF_ACCOUNT * 200) / 3);
      return Array.from(
        { length: Math.ceil(chosen.length / AT_ONCE) },
        (_, part) => change =>
          writeRequests(change, {
            writers: chosen.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
            kind,
            staff: staff!.loginId,
            random: random(`requests ${kind} ${part}`),
            today: plan.today,
          }),
      );
    };
    return (['ipv4', 'ipv6', 'asn'] as const).flatMap(ofKind);
  },
};

export const regionStages: readonly RegionStage[] = [requests];
