import type { RequestForm, RequestKind } from './request-form.ts';

/** The name of an object as it is read: the key of a route is its prefix and its origin, `198.18.0.0/23 AS64500`. */
export const objectInWords = (name: string): string => name.replace(/(\/\d+)(AS\d+)$/, '$1 $2');

const event = ({ path }: RequestForm): string => (path === 'temporary' ? ' for an event' : '');

/** Returns the request in words, for lists, mails and the activity log. */
export function askedFor(kind: RequestKind, form: RequestForm): string {
  const resources = form.resources.length === 1 ? form.resources[0]! : `${form.resources.length} resources`;
  switch (kind) {
    case 'ipv4':
      return form.length > 0 ? `IPv4 /${form.length}${event(form)}` : 'IPv4 addresses';
    case 'ipv6':
      return form.length > 0 ? `IPv6 /${form.length}${event(form)}` : 'IPv6 addresses';
    case 'asn':
      return `${form.twoByte ? 'AS number of two bytes' : 'AS number'}${event(form)}`;
    case 'pre-approval':
      return form.blocks > 0 ? `Pre-approval for ${form.blocks} × /24` : 'IPv4 pre-approval';
    case 'return':
      return form.resources.length > 0 ? `Return ${resources}` : 'Return of resources';
    case 'transfer':
      if (form.incoming)
        return form.resources.length > 0 ? `Transfer ${resources} from ${form.otherRegistry || 'another registry'}` : 'Transfer in';
      return form.resources.length > 0
        ? `Transfer ${resources} to ${form.recipient || form.otherRegistry || 'another holder'}`
        : 'Transfer';
    case 'acquisition':
      return form.resources.length > 0
        ? `Move ${resources} to ${form.recipient || 'another holder'} after a merger or acquisition`
        : 'Merger or acquisition';
  }
}
