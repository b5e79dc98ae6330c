import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testContext } from '../../../../test/context.ts';
import { askingElsewhere } from '../../../../test/database/asking-elsewhere.ts';
import { migratedDatabase, type TestCopy } from '../../../../test/database/migrated-database.ts';
import { exampleObjects, loadObjects, type WhoisServer, whoisServer } from '../../../../test/whois-server.ts';
import { readConfig } from '../../../config.ts';
import { readingFrom } from '../../../platform/module.ts';
import { port43Places } from './publishing-places.ts';
import { whoisServer as role } from './whois-server.ts';

/** A replica that has only some of the objects yet: what is read there is recognised by its address. */
const behind = exampleObjects.replaceAll('198.18.4.0 - 198.18.4.99', '198.18.4.0 - 198.18.4.55');

describe('port 43 with a replica that is behind', () => {
  let primary: TestCopy;
  let replica: TestCopy;
  let whois: WhoisServer;
  beforeAll(async () => {
    [primary, replica] = [await migratedDatabase('embedded'), await migratedDatabase('embedded')];
    await loadObjects(primary.database, exampleObjects);
    await loadObjects(replica.database, behind);
    whois = await whoisServer({ on: askingElsewhere(primary.database, replica.database) });
  });
  afterAll(async () => {
    await whois?.[Symbol.asyncDispose]();
    await primary?.[Symbol.asyncDispose]();
    await replica?.[Symbol.asyncDispose]();
  });

  test('answers from the copy in memory, which follows the primary, what that has', async () => {
    expect(await whois.query('-r 198.18.4.1')).toContain('198.18.4.0 - 198.18.4.99');
  });

  test('answers everything else at the replica alone, also parts that are in memory', async () => {
    const answer = await whois.query('-r -T inetnum -i mnt-by MAINT-PIA-EX');
    expect(answer).toContain('198.18.4.0 - 198.18.4.55');
    expect(answer).not.toContain('198.18.4.0 - 198.18.4.99');
    expect(await whois.query('-r -M 198.18.0.0/19')).toContain('198.18.4.0 - 198.18.4.55');
    expect(await whois.send('!minetnum,198.18.4.0 - 198.18.4.55\n')).toContain('198.18.4.55');
  });

  test('the receipt of a publication asks where its clients are answered', async () => {
    const context = testContext({ db: whois.db, config: readConfig({ NODE_ENV: 'test', ROLES: 'web,worker,whois' }) });
    const [place] = port43Places;
    const key = '198.18.4.0 - 198.18.4.99';
    const version = { class: 'inetnum', key, shown: key, version: 1, operation: 'ADD', text: '', serial: 1 } as const;
    expect(await place!.ask([version], { ...context, read: whois.db.read })).toMatchObject({ isThere: true });
  });

  test('tells mirrors of every change at the primary', async () => {
    const db = whois.db;
    const context = testContext({ db, config: readConfig({ NODE_ENV: 'test', WHOIS_PORT: '0' }) });
    const server = await role.open(readingFrom('replica', context));
    try {
      const port = Number(/port (\d+)/.exec(server.announcement)![1]);
      const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
      socket.write('-g EXAMPLE:3:1-LAST\r\n');
      const answer = await text(socket);
      expect(answer).toContain('198.18.4.0 - 198.18.4.99');
      expect(answer).not.toContain('198.18.4.0 - 198.18.4.55');
      await vi.waitUntil(() => server.metrics().some(line => /^whois_copy_objects [1-9]/.test(line)));
    } finally {
      await server.close();
    }
  });
});
