import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listVrps, publishRepository } from '../../apps/server/src/modules/rpki/index.ts';
import { testPortal, type TestPortal } from '../../apps/server/test/portal.ts';
import { newKeys, type Roa, selfHostedAuthority } from '../../packages/rpki-objects/test/self-hosted-authority.ts';
import { type ObservedRegistry, openObservedRegistry } from './rpki-observers.ts';
import { installed } from './program.ts';
import { canRunValidators } from './rpki-validators.ts';

const account = 'EXAMPLE-AU';
const openssl = installed('/usr/bin/openssl');

/** Validators of others over a repository in which a member's own authority publishes its ROAs beside the hosted ones, and takes over from them. */
describe.runIf(canRunValidators && openssl !== null)('a self-hosted authority that publishes here', () => {
  let portal: TestPortal;
  let folder = '';
  let observed: ObservedRegistry<TestPortal>;
  let corin: Awaited<ReturnType<TestPortal['as']>>;
  const keys = newKeys();
  const child = selfHostedAuthority('Example-AU', keys, () => new Date());
  let parentResponse = '';
  let repositoryResponse = '';

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'portal-self-hosted-'));
    observed = await openObservedRegistry(folder, async settings => {
      const opened = await testPortal(undefined, settings);
      await opened.db.change({ action: 'test', summary: 'Enabled RPKI', traceId: '0'.repeat(32) }, async change => {
        for (const [place, name] of [account, 'OTHER-SG'].entries())
          await change.rows(
            sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${name}, ${`${place}`.repeat(24)}, now())`,
          );
      });
      await publishRepository(opened.context);
      return opened;
    });
    portal = observed.portal;
    corin = await portal.as('corin');
  }, 120_000);
  afterAll(async () => {
    await observed?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = async (response: string, type: string, content: string): Promise<Buffer> => {
    let isOver = false;
    const asked = portal.http
      .inject({
        method: 'POST',
        url: child.serviceOf(response),
        headers: { 'content-type': type, host: 'portal.test' },
        payload: child.message(content),
      })
      .finally(() => (isOver = true));
    while (!isOver) {
      await publishRepository(portal.context);
      await new Promise(resolve => setImmediate(resolve));
    }
    const answer = await asked;
    expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
    return answer.rawPayload;
  };
  const ask = async (content: string) => child.read(await send(parentResponse, 'application/rpki-updown', content), parentResponse);
  let published = new Map<string, Uint8Array>();
  const publish = async (roas: readonly Roa[]): Promise<void> => {
    const files = child.files(roas);
    const answer = child.read(
      await send(repositoryResponse, 'application/rpki-publication', child.publish(files, published)),
      repositoryResponse,
    );
    expect(answer).toContain('<success/>');
    published = files;
  };
  const allAgree = async (expected: readonly string[]): Promise<void> => {
    await publishRepository(portal.context);
    const sorted = [...expected].sort();
    const listed = await listVrps(portal.db.read);
    expect([...new Set(listed.map(({ prefix, asn, maxLength }) => `AS${asn} ${prefix}-${maxLength}`))].sort()).toEqual(sorted);
    for (const { name, run } of observed.validators) {
      const { vrps, warnings } = await run();
      expect({ name, vrps: [...new Set(vrps)].sort(), warnings }).toEqual({ name, vrps: sorted, warnings: [] });
    }
  };
  const add = async (prefix: string, asn: string, who: string, of: string): Promise<void> => {
    const call = await portal.as(who);
    const { data } = await call(api.rpki.listRoas, { account: of, query: {} });
    const answer = await call(api.rpki.changeRoas, {
      account: of,
      body: { version: data!.version, add: [{ prefix, asn }] as never, remove: [] },
    });
    expect(answer.errors).toBeUndefined();
  };

  const hosted = 'AS64500 198.18.0.0/19-19';
  const foreign = 'AS64501 198.51.100.0/24-24';
  const more = 'AS64500 2001:db8::/32-48';

  test('is certified beside the hosted one, and validators find the ROAs of both', async () => {
    await add('198.18.0.0/19', 'AS64500', 'corin', account);
    await add('198.51.100.0/24', 'AS64501', 'olive', 'OTHER-SG');
    await allAgree([hosted, foreign]);
    await corin(api.rpkiSelfHosted.connect, { account, body: { childRequest: child.childRequest } });
    const { data } = await corin(api.rpkiSelfHosted.publishHere, { account, body: { publisherRequest: child.publisherRequest } });
    expect(data).toBeDefined();
    await publishRepository(portal.context);
    const { data: ready } = await corin(api.rpkiSelfHosted.getSelfHosted, { account });
    parentResponse = ready!.authority!.parentResponse!;
    repositoryResponse = ready!.authority!.publication!.repositoryResponse!;
    const notification = child.notificationOf(repositoryResponse);
    child.takeCertificate(await ask(child.issue(child.baseOf(repositoryResponse), { notification })));
    await publish([
      { prefix: '198.18.0.0/19', asn: 64500, maxLength: 19 },
      { prefix: '2001:db8::/32', asn: 64500, maxLength: 48 },
    ]);
    await allAgree([hosted, foreign, more]);
  }, 180_000);

  test('answers messages that OpenSSL accepts from the identity that was exchanged, with its CRL', async () => {
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at('answer.der'), await send(parentResponse, 'application/rpki-updown', child.list));
    const identity = /<parent_bpki_ta>([^<]*)</.exec(parentResponse)![1]!.replaceAll(/\s/g, '');
    writeFileSync(at('identity.der'), Buffer.from(identity, 'base64'));
    execFileSync(openssl!, ['x509', '-inform', 'der', '-in', at('identity.der'), '-out', at('identity.pem')]);
    const given = ['-inform', 'der', '-in', at('answer.der'), '-CAfile', at('identity.pem'), '-purpose', 'any'];
    execFileSync(openssl!, ['cms', '-verify', ...given, '-crl_check', '-out', at('answer.xml')], { stdio: 'pipe' });
    expect(readFileSync(at('answer.xml'), 'utf8')).toMatch(/^<message .*type="list_response"/);
    writeFileSync(at('other.pem'), readFileSync(path.join(folder, 'tls/ca.pem')));
    const wrong = given.map(arg => (arg === at('identity.pem') ? at('other.pem') : arg));
    expect(() => execFileSync(openssl!, ['cms', '-verify', ...wrong, '-out', at('x')], { stdio: 'pipe' })).toThrow();
  }, 120_000);

  test('takes over from the hosted one without a VRP being lost', async () => {
    const { data } = await corin(api.rpkiSelfHosted.getSelfHosted, { account });
    expect(data!.authority!.hostedAlone.count).toBe(0);
    const { data: list } = await corin(api.rpki.listRoas, { account, query: {} });
    expect((await corin(api.rpki.revoke, { account, body: { version: list!.version, removing: 1 } })).errors).toBeUndefined();
    await allAgree([hosted, foreign, more]);
  }, 180_000);

  test('changes its ROAs, and goes back to hosted without a VRP being lost', async () => {
    await publish([{ prefix: '198.18.0.0/19', asn: 64500, maxLength: 19 }]);
    await allAgree([hosted, foreign]);
    expect((await corin(api.rpki.enable, { account })).errors).toBeUndefined();
    await add('198.18.0.0/19', 'AS64500', 'corin', account);
    await allAgree([hosted, foreign]);
    expect((await corin(api.rpkiSelfHosted.disconnect, { account, body: { removing: 1 } })).errors).toBeUndefined();
    await allAgree([hosted, foreign]);
  }, 180_000);
});
