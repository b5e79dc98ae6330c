import type { ValueType } from './attributes.ts';
import { readIpv4Prefix, readIpv4Range, readIpv6Prefix } from './syntax/addresses.ts';
import { readAsBlock, readAsNumber } from './syntax/as-numbers.ts';
import { readEmail, readOrganisationName, readPersonName, readPhone } from './syntax/contact-details.ts';
import { readAuth, readKeyCert } from './syntax/credentials.ts';
import { readDomain, readDomainName, readDsData, readNameServer } from './syntax/domains.ts';
import { readNicHandle, readOrganisationHandle } from './syntax/handles.ts';
import { readMember, readMemberOfSet, readMembersByReference, readMpMember } from './syntax/members.ts';
import { readIrtName, readNetName, readObjectName, readSource } from './syntax/names.ts';
import { readCountry, readGeoloc, readLanguage } from './syntax/places.ts';
import { policySyntaxes } from './policy/policies.ts';
import type { Syntax } from './syntax/reading.ts';
import { readFreeText, readHttpsUrl, readOrganisationType, readStatus, readTimestamp } from './syntax/registration.ts';
import { readHole, readMaintainerOfRoutes } from './syntax/routes.ts';
import { setNameSyntax } from './syntax/set-names.ts';

/** The syntax of each type of value. */
export const syntaxes: Readonly<Record<ValueType, Syntax>> = {
  ...policySyntaxes,
  'free-text': readFreeText,
  'ipv4-range': readIpv4Range,
  'ipv4-prefix': readIpv4Prefix,
  'ipv6-prefix': readIpv6Prefix,
  'as-number': readAsNumber,
  'as-block': readAsBlock,
  'net-name': readNetName,
  'object-name': readObjectName,
  irt: readIrtName,
  'nic-hdl': readNicHandle,
  'org-id': readOrganisationHandle,
  'org-name': readOrganisationName,
  'org-type': readOrganisationType,
  'person-name': readPersonName,
  'postal-address': readFreeText,
  country: readCountry,
  language: readLanguage,
  email: readEmail,
  phone: readPhone,
  status: readStatus,
  source: readSource,
  geoloc: readGeoloc,
  'https-url': readHttpsUrl,
  timestamp: readTimestamp,
  domain: readDomain,
  'domain-name': readDomainName,
  nserver: readNameServer,
  'ds-rdata': readDsData,
  auth: readAuth,
  'key-cert': readKeyCert,
  'key-text': readFreeText,
  generated: readFreeText,
  'as-set': setNameSyntax('as-set'),
  'route-set': setNameSyntax('route-set'),
  'filter-set': setNameSyntax('filter-set'),
  'peering-set': setNameSyntax('peering-set'),
  'rtr-set': setNameSyntax('rtr-set'),
  'member-of': readMemberOfSet,
  'mbrs-by-ref': readMembersByReference,
  members: readMember,
  'mp-members': readMpMember,
  'mnt-routes': readMaintainerOfRoutes,
  holes: readHole,
};

const long: ReadonlySet<ValueType> = new Set<ValueType>([
  ...(Object.keys(policySyntaxes) as ValueType[]),
  'free-text',
  'postal-address',
  'key-text',
  'generated',
  'mnt-routes',
]);

/** Returns the maximum length of one value (one item of a list); policies and texts are limited by the message only. */
export function longestValue(type: ValueType): number {
  return long.has(type) ? Number.POSITIVE_INFINITY : 1000;
}
