import { printAsNumber } from '@portal/number-resources';
import { decodeAspa, decodeSignedObject } from '@portal/rpki-objects';
import { preparedQuery } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';

const PUBLISHED = preparedQuery<{
  content: Buffer;
}>(`select o.content from aspa a join rpki_ca c on c.account_name = a.account_name and c.state = 'active'
      join rpki_key k using (ca_id) join rpki_object o using (key_id)
      where a.customer between $1::bigint and $2::bigint and k.state = 'current' and o.kind = 'aspa' and o.subject like 'AS' || a.customer || ':%' order by a.customer limit 50`);

/** The published providers of an AS number, on its page. They are public anyway. */
export const aspaRecords: NonNullable<Module['records']>[number] = {
  id: 'aspas',
  describe: async ({ read, resource, own, on }) => {
    if (on !== null || resource.family !== 'asn') return {};
    const found = await read.rows(PUBLISHED(resource.first, resource.last));
    if (found.length === 0) return {};
    const stated = found.map(({ content }) => decodeAspa(decodeSignedObject(content, 'aspa').content));
    return {
      section: {
        title: 'Providers (ASPA)',
        rows: stated.map(({ customer, providers }) => ({
          label: printAsNumber(customer),
          text: providers[0] === 0 ? 'No provider' : providers.map(printAsNumber).join(', '),
          link: null,
          state: { mark: 'valid', word: 'Published' },
          actions: [],
        })),
        more: false,
        link: own ? { label: 'RPKI', link: '/resources/rpki/index' } : null,
      },
    };
  },
};
