import { ResourceSyntaxError } from '@portal/number-resources';
import { quote } from '../problem.ts';
import { parsePrefixRange, parseRangeOperator, printPrefixRange } from '../range-operator.ts';
import { readAddress } from './addresses.ts';
import { readAsNumber } from './as-numbers.ts';
import { readDomainName } from './domains.ts';
import { readObjectName } from './names.ts';
import { isWrong, right, type Syntax, type SyntaxReading, wrong } from './reading.ts';
import { isSetName, readSetName, type SetKind } from './set-names.ts';

/** Reads one member of a set by members:. The set's class decides what it may contain. */
export const readMember: Syntax = (value, object) => readMemberOf(value, object.class, 'ipv4');

/** One member of a set by mp-members:, which knows IPv6 too (RFC 4012 section 4). */
export const readMpMember: Syntax = (value, object) => readMemberOf(value, object.class, 'both');

/** The set an object wants to be in; the kind depends on the object's class. */
export const readMemberOfSet: Syntax = (value, object) => {
  const kind: SetKind = object.class === 'aut-num' ? 'as-set' : object.class === 'inet-rtr' ? 'rtr-set' : 'route-set';
  return readSetName(kind, value);
};

/** Reads a maintainer whose objects may join the set themselves, or ANY. */
export const readMembersByReference: Syntax = (value, object) => (/^any$/i.test(value) ? right('ANY') : readObjectName(value, object));

/** Prefix with range operator, as a reading. */
export function readPrefixRange(value: string, families: 'ipv4' | 'ipv6' | 'both'): SyntaxReading {
  try {
    const range = parsePrefixRange(value);
    if (families !== 'both' && range.prefix.family !== families)
      return wrong(
        'wrong-family',
        families === 'ipv4'
          ? `${quote(value)} is IPv6. Enter IPv4 prefixes here, and IPv6 in the attribute that starts with mp-`
          : `${quote(value)} is IPv4. Enter IPv6 prefixes here`,
      );
    return right(printPrefixRange(range));
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return wrong(error.code.toLowerCase().replaceAll('_', '-'), error.message);
    if (error instanceof RangeError) return wrong('range-operator', error.message);
    throw error;
  }
}

function readMemberOf(value: string, setClass: string, families: 'ipv4' | 'both'): SyntaxReading {
  if (setClass === 'as-set') {
    if (/^as\d[\d.]*$/i.test(value)) return readAsNumber(value, nowhere);
    return isSetName('as-set', value)
      ? right(value)
      : wrong('not-a-member', `${quote(value)} cannot be in an as-set. Enter an AS number such as AS64500 or an as-set such as AS-EXAMPLE`);
  }
  if (setClass === 'rtr-set') return readRouter(value, families);
  if (/^[0-9a-f:.]+\//i.test(value)) return readPrefixRange(value, families);
  const caret = value.indexOf('^');
  const name = caret < 0 ? value : value.slice(0, caret);
  if (caret >= 0 && parseRangeOperator(value.slice(caret)) === null)
    return wrong('range-operator', `${quote(value.slice(caret))} isn’t a range operator. Enter ^-, ^+, ^24 or ^24-32`);
  if (/^as\d[\d.]*$/i.test(name)) {
    const number = readAsNumber(name, nowhere);
    return isWrong(number) ? number : right(number.canonical + value.slice(name.length));
  }
  return isSetName('route-set', name) || isSetName('as-set', name) || /^(rs|as)-any$/i.test(name)
    ? right(value)
    : wrong(
        'not-a-member',
        `${quote(value)} cannot be in a route-set. Enter a prefix such as 192.0.2.0/24^+, a route-set, an as-set or an AS number`,
      );
}

function readRouter(value: string, families: 'ipv4' | 'both'): SyntaxReading {
  if (isSetName('rtr-set', value)) return right(value);
  const address = /^[\d.]+$/.test(value) || value.includes(':') ? readAddress(value) : undefined;
  if (address && !isWrong(address))
    return families === 'ipv4' && address.canonical.includes(':')
      ? wrong('wrong-family', `${quote(value)} is IPv6. Enter it in mp-members`)
      : address;
  const name = readDomainName(value, nowhere);
  return isWrong(name)
    ? wrong('not-a-member', `${quote(value)} cannot be in an rtr-set. Enter the name or address of a router, or an rtr-set`)
    : name;
}

const nowhere = { class: '', attributes: [] };
