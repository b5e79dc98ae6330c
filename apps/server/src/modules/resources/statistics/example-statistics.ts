const economies = ['AU', 'BD', 'CN', 'HK', 'ID', 'IN', 'JP', 'KR', 'MY', 'NZ', 'PH', 'SG', 'TH', 'TW', 'VN'];
const address = (number: number): string => [24, 16, 8, 0].map(shift => (number >>> shift) & 255).join('.');

/** The first address of 10.0.0.0/8. */
const PRIVATE = 10 * 2 ** 24;

/**
 * A delegated-extended file of a registry with so many holders, in the proportions of a large one: 73,000 delegations of 12,800. The same on every machine; its
 * numbers come from a fixed sequence, and its space from 1.0.0.0/8 up, so that lookups are as scattered as in a real one.
 */
export function exampleStatistics(holders: number, registry = 'example'): string {
  const share = (count: number): number => Math.ceil((count * holders) / 12_800);
  let state = 20_260_101;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const date = (): string => `${1994 + random(31)}${String(1 + random(12)).padStart(2, '0')}${String(1 + random(28)).padStart(2, '0')}`;
  // A few holders have most of it, as in reality.
  const holder = (): number => Math.floor(holders * (random(1_000_000) / 1_000_000) ** 2.2);
  const line = (kind: string, start: string, value: number, status: string): string => {
    const id = holder();
    return `${registry}|${economies[id % economies.length]}|${kind}|${start}|${value}|${date()}|${status}|H${id.toString(16).padStart(6, '0')}`;
  };
  const ipv4: string[] = [];
  let next = 16_777_216;
  for (let count = 0; count < share(41_000); count++) {
    const size = 256 << random(8);
    next = Math.ceil(next / size) * size;
    // 10.0.0.0/8 is for private use (RFC 1918).
    if (next + size > PRIVATE && next < PRIVATE + 2 ** 24) next = PRIVATE + 2 ** 24;
    ipv4.push(line('ipv4', address(next), size, random(3) === 0 ? 'assigned' : 'allocated'));
    next += size * (1 + random(3));
  }
  const ipv6 = Array.from({ length: share(19_000) }, (_, place) => {
    const high = 0x2400 + Math.floor(place / 8192);
    return line(
      'ipv6',
      `${high.toString(16)}:${((place % 8192) * 8).toString(16)}::`,
      random(4) === 0 ? 48 : 32,
      random(4) === 0 ? 'assigned' : 'allocated',
    );
  });
  const asn = Array.from({ length: share(13_000) }, (_, place) => line('asn', String(131_072 + place * 2), 1, 'allocated'));
  const records = [...asn, ...ipv4, ...ipv6];
  return [
    `2.3|${registry}|20260101|${records.length}|19940101|20260101|+1000`,
    `${registry}|*|asn|*|${asn.length}|summary`,
    `${registry}|*|ipv4|*|${ipv4.length}|summary`,
    `${registry}|*|ipv6|*|${ipv6.length}|summary`,
    ...records,
    '',
  ].join('\n');
}
