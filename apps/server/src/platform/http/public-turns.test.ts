import { expect, test } from 'vitest';
import { publicTurns } from './public-turns.ts';

test('strangers of many networks work three at a time, of one network two, and what waits too long a line is refused', async () => {
  const inTurn = publicTurns();
  const running = new Set<string>();
  const gates: (() => void)[] = [];
  const seen: string[] = [];
  const ask = (address: string): Promise<void> =>
    inTurn(address, async () => {
      running.add(address);
      seen.push(address);
      await new Promise<void>(resolve => void gates.push(resolve));
      running.delete(address);
    });
  const settle = () => new Promise(resolve => setImmediate(resolve));
  // One IPv6 network with many addresses has two turns.
  const asked = [ask('2001:db8::1'), ask('2001:db8::2'), ask('2001:db8::3'), ask('192.0.2.1'), ask('192.0.2.2')];
  await settle();
  expect([...running]).toEqual(['2001:db8::1', '2001:db8::2', '192.0.2.1']);
  while (gates.length > 0) {
    gates.shift()!();
    await settle();
  }
  await Promise.all(asked);
  expect(seen).toHaveLength(5);

  const many = Array.from({ length: 23 }, () => ask('198.51.100.7'));
  await expect(many[22]).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  for (let ended = 0; ended < 22; ended++) {
    await settle();
    gates.shift()!();
  }
  await Promise.all(many.slice(0, 22));
});
