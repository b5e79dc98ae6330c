import { printAsNumber, type SpecialAsRange } from '@portal/number-resources';
import { publicObject, type RpslObject, valueOf } from '@portal/rpsl';
import { type AnswerContext, type Autnum, linkTo, pageLink, type Redaction } from './answer.ts';
import { countryOf, delegationEvents, eventsOf, remarksOf, type Stamp } from './common-members.ts';
import { nestedEntities, type Referred } from './entities.ts';
import { lockStatuses } from './lock-statuses.ts';

/** A stored aut-num. */
export type AutnumRow = Stamp & {
  shown: string;
  text: string;
  asNumber: number;
  delegatedOn?: string | null;
  /** Whether that delegation came by a transfer. */
  transferred?: boolean | null;
  locked?: boolean | null;
  moving?: boolean | null;
};

const readAutnum = (text: string): RpslObject => publicObject(text) ?? { class: '', attributes: [] };

/** An AS number without what it nests. */
export function plainAutnum(context: AnswerContext, row: AutnumRow, object = readAutnum(row.text)): Autnum {
  const name = valueOf(object, 'as-name');
  return {
    objectClassName: 'autnum',
    handle: row.shown,
    startAutnum: row.asNumber,
    endAutnum: row.asNumber,
    ...(name !== undefined && { name }),
    ...countryOf(object),
    status: ['active', ...lockStatuses(row)],
    ...remarksOf(object),
    ...eventsOf(object, row, delegationEvents(row)),
    links: [linkTo(context, 'self', `autnum/${row.asNumber}`), pageLink(context, `AS${row.asNumber}`)],
    port43: context.profile.whoisHost,
  };
}

/** The requested AS number. */
export function autnumOf(context: AnswerContext, row: AutnumRow, referred: readonly Referred[]): { autnum: Autnum; redacted: Redaction[] } {
  const object = readAutnum(row.text);
  const { entities, redacted } = nestedEntities(context, object, referred);
  return { autnum: { ...plainAutnum(context, row, object), ...(entities.length > 0 && { entities }) }, redacted };
}

/** Reserved AS numbers that belong to no registry. */
export function specialAutnum(context: AnswerContext, { first, last, use }: SpecialAsRange): Autnum {
  return {
    objectClassName: 'autnum',
    handle: first === last ? printAsNumber(first) : `${printAsNumber(first)} - ${printAsNumber(last)}`,
    startAutnum: first,
    endAutnum: last,
    status: ['reserved'],
    remarks: [{ title: 'description', description: [`Set aside: ${use}`] }],
    links: [linkTo(context, 'self', `autnum/${first}`)],
    port43: context.profile.whoisHost,
  };
}
