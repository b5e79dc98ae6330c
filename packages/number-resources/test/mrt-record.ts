import { parsePrefix } from '../src/prefix.ts';

/** A path as one peer has it; kinds are set, sequence and confederation (RFC 4271, RFC 5065). */
export type Path = { peer: number; segments: { kind: 1 | 2 | 3; asns: number[] }[] };
const u16 = (value: number): number[] => [value >> 8, value & 255];
const u32 = (value: number): number[] => [...u16(Math.floor(value / 65536)), ...u16(value % 65536)];

/** Returns a record of one prefix as RFC 6396 writes it; attributes before the path have both forms of length. */
export function mrtRecord(prefix: string, paths: Path[], { addPath = false, time = 1_700_000_000 } = {}): number[] {
  const { family, first, length } = parsePrefix(prefix);
  const bytes = Math.ceil(length / 8);
  const bits = family === 'ipv4' ? 32 : 128;
  const entries = paths.flatMap(({ peer, segments }) => {
    const path = segments.flatMap(({ kind, asns }) => [kind, asns.length, ...asns.flatMap(u32)]);
    const attributes = [0x40, 1, 1, 0, 0x50, 2, ...u16(path.length), ...path, 0x40, 5, 4, 0, 0, 0, 100];
    return [...u16(peer), ...u32(time), ...(addPath ? u32(7) : []), ...u16(attributes.length), ...attributes];
  });
  const body = [
    ...u32(1),
    length,
    ...Array.from({ length: bytes }, (_, index) => Number((first >> BigInt(bits - 8 * (index + 1))) & 255n)),
    ...u16(paths.length),
    ...entries,
  ];
  const subtype = (family === 'ipv4' ? 2 : 4) + (addPath ? 6 : 0);
  return [...u32(time), ...u16(13), ...u16(subtype), ...u32(body.length), ...body];
}
