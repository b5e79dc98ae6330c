import { parseReverseZone } from '@portal/number-resources';
import { valueOf } from '../object.ts';
import { quote } from '../problem.ts';
import { readAddress } from './addresses.ts';
import { algorithmProblem, digestProblem, hostNameProblem } from './delegation.ts';
import { isWrong, readResource, right, type Syntax, wrong } from './reading.ts';

const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** A host name; a final dot is taken off, case is lost. */
export const readDomainName: Syntax = value => {
  const name = value.replace(/\.$/, '').toLowerCase();
  return name.length <= 253 && name.includes('.') && name.split('.').every(label => hostLabel.test(label)) && !/^[\d.]+$/.test(name)
    ? right(name)
    : wrong('not-a-domain-name', `${quote(value)} is not a domain name. Enter one such as ns1.example.net`);
};

/** A zone below in-addr.arpa, ip6.arpa or e164.arpa. The first label of four numbers may be a range of addresses (RFC 2317). */
export const readDomain: Syntax = value => {
  const name = value.replace(/\.$/, '').toLowerCase();
  if (name.length > 254) return wrong('not-a-domain-name', `This name has ${name.length} characters, the longest may have 254`);
  if (/(^|\.)e164\.arpa$/.test(name))
    return /^(\d\.){0,15}e164\.arpa$/.test(name)
      ? right(name)
      : wrong('not-a-reverse-zone', `${quote(value)} isn’t an ENUM zone: each label before e164.arpa is one digit`);
  const range = /^([^.]*-[^.]*)\.(.+\.in-addr\.arpa)$/.exec(name);
  if (range?.[1] === undefined || range[2] === undefined) {
    return readResource(() => {
      parseReverseZone(name);
      return name;
    });
  }
  const ends = /^(0|[1-9]\d{0,2})-(0|[1-9]\d{0,2})$/.exec(range[1]);
  const [first, last] = [Number(ends?.[1]), Number(ends?.[2])];
  if (!ends || last > 255 || first >= last)
    return wrong('not-a-reverse-zone', `${quote(range[1])} isn’t a range. Enter the lower number first, such as 0-127`);
  if (first === 0 && last === 255) return wrong('not-a-reverse-zone', `0-255 is the whole /24. Enter ${range[2]}`);
  const parent = range[2];
  if (parent.split('.').length !== 5)
    return wrong('not-a-reverse-zone', `A range can only be the first of four numbers, such as 0-127.2.0.192.in-addr.arpa`);
  return readResource(() => {
    parseReverseZone(parent);
    return name;
  });
};

/** A name server; its address follows when, and only when, the server lies inside the zone (glue, RFC 1034 section 4.2.1). */
export const readNameServer: Syntax = (value, object) => {
  const [host = '', address, ...more] = value.split(/\s+/);
  if (more.length > 0)
    return wrong('not-a-name-server', `${quote(value)} has more than a name and one address. Enter each address on a line of its own`);
  const misnamed = hostNameProblem(host);
  if (misnamed !== null) return wrong('not-a-host-name', misnamed);
  const name = { canonical: host.replace(/\.$/, '').toLowerCase() };
  const zone = (object.class === 'domain' ? (valueOf(object, 'domain') ?? '') : '').replace(/\.$/, '').toLowerCase();
  const isInside = zone !== '' && (name.canonical === zone || name.canonical.endsWith(`.${zone}`));
  if (address === undefined)
    return isInside
      ? wrong('glue-missing', `${name.canonical} is inside the zone, so its address has to follow: nserver: ${name.canonical} 192.0.2.1`)
      : name;
  if (!isInside) return wrong('glue-not-allowed', `${name.canonical} is outside the zone. Leave its address out`);
  const glue = readAddress(address);
  return isWrong(glue) ? glue : right(`${name.canonical} ${glue.canonical}`);
};

/** `key tag, algorithm, digest type, digest` of a DS record (RFC 4034 section 5.3); brackets round and blanks in the digest are dropped. */
export const readDsData: Syntax = value => {
  const match = /^(\d+)\s+(\d+)\s+(\d+)\s+\(?\s*([^()]*?)\s*\)?$/.exec(value);
  if (!match)
    return wrong(
      'not-ds-data',
      `${quote(value)} is not DS data. Enter key tag, algorithm, digest type and digest, such as 64431 13 2 and the 64 digits of SHA-256`,
    );
  const [, tag = '', algorithm = '', type = '', digits = ''] = match;
  const tooLarge: [string, string, number][] = [
    ['key tag', tag, 65535],
    ['algorithm', algorithm, 255],
    ['digest type', type, 255],
  ];
  for (const [noun, text, most] of tooLarge)
    if (Number(text) > most) return wrong('not-ds-data', `The ${noun} ${quote(text)} is above ${most}, the largest`);
  const digest = digits.replace(/\s+/g, '').toUpperCase();
  if (!/^[0-9A-F]+$/.test(digest) || digest.length % 2 !== 0)
    return wrong('not-ds-data', 'The digest is not hexadecimal; it has pairs of the digits 0-9 and A-F');
  if (/^[0 ]+$/.test(`${tag} ${algorithm} ${type} ${digest}`))
    return wrong('ds-deletes', '0 0 0 00 is how a zone asks for its DS to be deleted (RFC 8078). Remove the line instead');
  const weak = algorithmProblem(Number(algorithm)) ?? digestProblem(Number(type), digest);
  if (weak !== null) return wrong('ds-not-for-parents', weak);
  return right(`${Number(tag)} ${Number(algorithm)} ${Number(type)} ${digest}`);
};
