import type { RequestForm } from '@portal/contract/requests/request-form';
import type { WhoisNames } from '@portal/contract/requests/requests';

/** Returns the whois names of what is received, as rows of a list: those in the form, else the account's. */
export function whoisNameRows({ defaults }: WhoisNames, form: RequestForm, asNumbers: boolean): { key: string; value: string }[] {
  const of = (name: keyof WhoisNames['defaults'], none: string): string => form[name] || defaults[name] || none;
  return [
    { key: asNumbers ? 'AS name' : 'Netname', value: of('netname', '') },
    { key: 'Admin contact', value: of('adminContact', 'The registry’s') },
    { key: 'Technical contact', value: of('techContact', 'The registry’s') },
    { key: 'Maintainer', value: of('maintainer', 'None') },
    { key: 'Abuse mailbox', value: of('abuseMailbox', 'None') },
  ];
}
