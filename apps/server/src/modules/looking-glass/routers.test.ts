import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { readProfile } from '../../profile.ts';
import { lookedAtRouters, readBirdRoutes } from './routers.ts';

const bird = '/usr/sbin/bird';
const answer = `Table master4:
192.0.2.0/24         unicast [upstream1 2026-11-22] * (100) [AS64501i]
	via 198.51.100.1 on eth0
	Type: BGP univ
	BGP.origin: IGP
	BGP.as_path: 64500 64501
	BGP.next_hop: 198.51.100.1
	BGP.community: (64500,100) (64500,200)
                     unicast [upstream2 2026-11-22] (100) [AS64501i]
	via 198.51.100.2 on eth0
	BGP.as_path: 64502 64510 64501
192.0.2.128/25       unicast [upstream2 2026-11-22] (100) [i]
	BGP.as_path: 64502 {64510 64501}`;

test('routes of BIRD are read with path, origin, next hop and communities; a path that ends in a set has no origin', () => {
  expect(readBirdRoutes(answer)).toEqual([
    {
      prefix: '192.0.2.0/24',
      best: true,
      path: [64_500, 64_501],
      origin: 64_501,
      nextHop: '198.51.100.1',
      communities: ['64500:100', '64500:200'],
    },
    { prefix: '192.0.2.0/24', best: false, path: [64_502, 64_510, 64_501], origin: 64_501, nextHop: null, communities: [] },
    { prefix: '192.0.2.128/25', best: false, path: [64_502, 64_510, 64_501], origin: null, nextHop: null, communities: [] },
  ]);
});

test('anyone signed in asks for registered routes, with their RPKI state; nonsense and an unknown router are refused', async () => {
  await using portal = await testPortal();
  const nadia = await portal.as('nadia', { mfa: false });
  const look = (argument: string, command: 'route' | 'exact' | 'origin' = 'route', router = 'registered') =>
    nadia(api.lookingGlass.lookUp, { query: { router, command, argument } });
  expect((await look('198.18.2.1')).data!.rows).toMatchObject([{ prefix: '198.18.0.0/19', path: [64_500], rpki: 'not-found' }]);
  expect((await look('AS64501', 'origin')).data!.rows.length).toBeGreaterThan(1);
  expect((await look('1; show status')).errors![0]!.code).toBe('INVALID_REQUEST');
  expect((await look('192.0.2.0/24', 'exact', 'elsewhere')).errors![0]!.code).toBe('NOT_FOUND');
  expect((await look('198.18.0.0/19', 'exact')).data!.rows).toHaveLength(1);
  expect((await look('198.18.0.0/19', 'exact')).errors![0]!.code).toBe('TOO_MANY_REQUESTS');
});

test.skipIf(!fs.existsSync(bird))('a real BIRD is asked over its control socket', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bird-'));
  const socket = path.join(folder, 'bird.ctl');
  await writeFile(
    path.join(folder, 'bird.conf'),
    'router id 192.0.2.1;\nprotocol device {}\nprotocol static { ipv4 { import filter { bgp_path = +empty+; bgp_path.prepend(64501); bgp_path.prepend(64500); bgp_community = -empty-; bgp_community.add((64500,100)); accept; }; }; route 192.0.2.0/24 blackhole; }\n',
  );
  const router = spawn(bird, ['-f', '-c', path.join(folder, 'bird.conf'), '-s', socket], { stdio: 'ignore' });
  try {
    await expect.poll(() => fs.existsSync(socket), { timeout: 10_000 }).toBe(true);
    const profile = { ...readProfile(''), lookingGlass: [{ router: 'lab', name: 'Lab', location: 'Here', socket }] };
    const routers = lookedAtRouters.open({ profile } as Parameters<typeof lookedAtRouters.open>[0]);
    const { routes } = await routers.ask('lab', { family: 'ipv4', prefix: '192.0.2.9/32', exact: false });
    expect(routes).toEqual([
      { prefix: '192.0.2.0/24', best: true, path: [64_500, 64_501], origin: 64_501, nextHop: null, communities: ['64500:100'] },
    ]);
    expect((await routers.ask('lab', { origin: 64_501 })).routes).toHaveLength(1);
  } finally {
    router.kill();
  }
});
