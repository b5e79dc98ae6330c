import { containsResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { readersDay } from '../../../platform/day-words.ts';
import type { Module } from '../../../platform/module.ts';
import { findAuthority } from './authorities.ts';
import { keysOf } from './keys.ts';

/** For the page of a prefix or AS number of the account: whether its resource certificate covers it, and until when. */
export const certificateRecords: NonNullable<Module['records']>[number] = {
  id: 'certificate',
  describe: async ({ read, account, resource, own, on }) => {
    if (on !== null || !own || !account.permissions.has('rescert-view')) return {};
    const authority = await findAuthority(read, account.accountName);
    const current = authority && (await keysOf(read, [authority.caId])).find(({ state }) => state === 'current');
    const isCertified =
      current?.certificate !== null &&
      current !== undefined &&
      current !== null &&
      containsResource(resourceSetOf(current.resources.map(parseResource)), resource);
    return {
      section: {
        about: 'routing',
        title: 'Resource certificate',
        rows: [
          {
            label: 'RPKI',
            text: isCertified
              ? `Valid until ${readersDay(current.notAfter!)}, renewed automatically`
              : authority
                ? 'The next publication certifies it, unless the account is suspended'
                : 'RPKI is off, so nothing is certified',
            link: '/resources/rpki/index',
            state: isCertified ? { mark: 'valid', word: 'Certified' } : { mark: 'not-found', word: 'Not certified' },
            actions: [],
          },
        ],
        more: false,
        link: null,
      },
    };
  },
};
