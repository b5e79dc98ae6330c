import { type AddressRange, containsRange, parseAddress, parsePrefix, parseRange, printRange } from '@portal/number-resources';
import { type RpslObject, valueOf } from '../object.ts';
import { quote } from '../problem.ts';
import { parsePrefixRange } from '../range-operator.ts';
import { readAddress } from './addresses.ts';
import { readPrefixRange } from './members.ts';
import { readObjectName } from './names.ts';
import { isWrong, readResource, right, type Syntax, wrong } from './reading.ts';

/** Prefixes or addresses inside the route that cannot be reached through it. */
export const readHole: Syntax = (value, object) => {
  const range = readResource(() => printRange(value.includes('/') ? parsePrefix(value) : addressRange(value)));
  if (isWrong(range)) return range;
  const hole = parseRange(range.canonical);
  const route = rangeOfKey(object);
  if (route && route.family !== hole.family) return wrong('wrong-family', `${quote(value)} is of another address family than the route`);
  if (route && !containsRange(route, hole)) return wrong('hole-outside', `${quote(value)} lies outside the route ${printRange(route)}`);
  return value.includes('/') ? range : readAddress(value);
};

/** `MAINT-EXAMPLE`, `MAINT-EXAMPLE ANY` or `MAINT-EXAMPLE {192.0.2.0/24^+}`: who may make routes, and for which prefixes of the object's range. */
export const readMaintainerOfRoutes: Syntax = (value, object) => {
  const blank = value.search(/[\s{]/);
  const name = readObjectName(blank < 0 ? value : value.slice(0, blank), object);
  if (isWrong(name) || blank < 0) return name;
  const scope = value.slice(blank).trim();
  if (/^any$/i.test(scope)) return right(`${name.canonical} ANY`);
  if (!scope.startsWith('{') || !scope.endsWith('}') || scope.length < 3)
    return wrong('mnt-routes-scope', `Enter nothing, ANY, or prefixes in braces after the maintainer: ${name.canonical} {192.0.2.0/24^+}`);
  const own = rangeOfKey(object);
  const printed: string[] = [];
  for (const part of scope.slice(1, -1).split(',')) {
    const item = part.trim();
    const range = readPrefixRange(item, own?.family ?? 'both');
    if (isWrong(range)) return range;
    if (own && !containsRange(own, parsePrefixRange(item).prefix))
      return wrong('mnt-routes-scope', `${quote(item)} lies outside ${printRange(own)}, the range of this object`);
    printed.push(range.canonical);
  }
  return right(`${name.canonical} {${printed.join(', ')}}`);
};

function addressRange(value: string): AddressRange {
  const { family, value: address } = parseAddress(value);
  return { family, first: address, last: address };
}

/** The addresses of an inetnum, inet6num, route or route6; undefined for others and while the key cannot be read. */
function rangeOfKey(object: RpslObject): AddressRange | undefined {
  if (!/^(inet6?num|route6?)$/.test(object.class)) return undefined;
  const key = valueOf(object, object.class) ?? '';
  try {
    return object.class === 'inetnum' ? parseRange(key) : parsePrefix(key);
  } catch {
    return undefined;
  }
}
