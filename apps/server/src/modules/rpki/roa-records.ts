import { containsRange, enclosingPrefix, overlapsRange, parsePrefix, printAsNumber, printPrefix } from '@portal/number-resources';
import { preparedQuery } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import type { PublishedVrp } from './vrps.ts';

/** Maximum number of ROAs listed on one page. */
const LISTED = 50;

const published = (about: string): string => `select r.prefix::text, r.asn, r.max_length, r.created_at from roa r where ${about}
      and exists (select from rpki_object o where o.kind = 'roa' and o.roa_ids @> array[r.roa_id]) order by family(r.prefix), r.prefix, r.asn limit 500`;
type Row = Omit<PublishedVrp, 'accountName'> & { createdAt: string };
const OF_NUMBERS = preparedQuery<Row>(published('r.asn between $1::bigint and $2::bigint'));
const OF_ADDRESSES = preparedQuery<Row>(published('r.prefix && $1::inet'));

/** The published ROAs for a prefix or AS number, on its page. They are public anyway. */
export const roaRecords: NonNullable<Module['records']>[number] = {
  id: 'roas',
  describe: async ({ read, resource, on }) => {
    // Validation results of earlier days are not stored.
    if (on !== null) return {};
    const found = await read.rows(
      resource.family === 'asn' ? OF_NUMBERS(resource.first, resource.last) : OF_ADDRESSES(printPrefix(enclosingPrefix(resource))),
    );
    const roas = found.filter(({ prefix }) => resource.family === 'asn' || overlapsRange(parsePrefix(prefix), resource));
    if (roas.length === 0) return {};
    const covering = roas.filter(({ prefix }) => resource.family !== 'asn' && containsRange(parsePrefix(prefix), resource));
    return {
      // Only present ROAs: earlier ones are in the history of RPKI.
      ...(covering.length > 0 && {
        lanes: [
          {
            id: 'roas',
            title: 'ROAs',
            spans: covering.slice(0, LISTED).map(({ prefix, asn, createdAt }) => ({
              from: createdAt,
              until: null,
              text: `${prefix} ${asn === 0 ? 'AS0' : printAsNumber(asn)}`,
              look: 'valid' as const,
            })),
          },
        ],
      }),
      section: {
        about: 'routing',
        title: 'ROAs',
        rows: roas.slice(0, LISTED).map(({ prefix, asn, maxLength }) => ({
          label: prefix,
          text: `${asn === 0 ? 'No AS may originate it (AS0)' : `${printAsNumber(asn)} may originate it`}${maxLength > parsePrefix(prefix).length ? `, down to /${maxLength}` : ''}`,
          link: null,
          state: { mark: 'valid', word: 'Published' },
          actions: [],
        })),
        more: roas.length > LISTED,
        link: null,
      },
    };
  },
};
