import type { Access } from '@portal/contract';
import { consequencesOf, type DeclaredEffect } from '@portal/contract/effects';

/** Returns who may call an endpoint or open a page, in a few words. */
export function accessInWords({ access, effect }: { access: Access; effect?: DeclaredEffect }): string {
  const secondFactor =
    consequencesOf({ effect }).factor === 'fresh'
      ? ', with a second factor given just now'
      : 'mfa' in access && access.mfa
        ? ', with a second factor'
        : '';
  switch (access.who) {
    case 'anyone':
      return 'anyone';
    case 'signed-in':
      return `signed in${secondFactor}`;
    case 'contact':
      return `contact of the account${access.closed ? ', also of a closed account' : ''}${secondFactor}`;
    case 'member':
      return `${access.permissions.map(key => `\`${key}\``).join(' or ')}${access.closed ? ', also of a closed account' : ''}${access.staff ? ', registry staff' : ''}${secondFactor}`;
    case 'corporate':
      return `corporate${access.orTechnical ? ' or technical' : ''} contact${secondFactor}`;
    case 'staff':
      return `registry staff: ${access.permissions.map(key => `\`${key}\``).join(' or ')}${secondFactor}`;
  }
}
