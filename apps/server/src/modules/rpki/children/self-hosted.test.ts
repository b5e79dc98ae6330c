import { createHash } from 'node:crypto';
import { api } from '@portal/contract/api';
import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { printBase64 } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Flaw, newKeys, selfHostedAuthority } from '../../../../../../packages/rpki-objects/test/self-hosted-authority.ts';
import { keyOf } from '../../../../../../packages/rpki-objects/test/small-authority.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { periodicHandler } from '../../../platform/periodic-work.ts';
import { checkInvariants } from '../../../platform/invariants.ts';
import { findDue, isDue } from '../authorities/due-authorities.ts';
import { closeDelegations } from '../../resources/delegations.ts';
import { publishAll } from '../repository/publisher.ts';
import { checkRepository } from '../repository/repository-check.ts';
import { endingMs, warnOfEndingFiles } from './ending-files.ts';
import { listVrps } from '../vrps.ts';

const account = 'EXAMPLE-AU';
const activity = { action: 'test', summary: 'Changed the ledger', traceId: '0'.repeat(32) };
const keys = newKeys();
/** Held by the account, then given to another. */
const sold = '2001:db8::/32';

describe.each(kindsForRules)('self-hosted RPKI on %s', kind => {
  let portal: TestPortal;
  let corin: Awaited<ReturnType<TestPortal['as']>>;
  // From the clock of the database, so that nothing is signed in the future.
  let offset = 0;
  const clock = () => new Date(Date.now() + offset);
  const child = selfHostedAuthority('Example-AU', keys, clock);
  let parentResponse = '';
  let repositoryResponse = '';
  let base = '';
  beforeAll(async () => {
    portal = await testPortal(kind, {}, clock);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const status = async () => (await corin(api.rpkiSelfHosted.getSelfHosted, { account })).data!;
  const post = async (url: string, type: string, payload: Buffer) => {
    const answer = portal.http.inject({ method: 'POST', url, headers: { 'content-type': type, host: 'portal.test' }, payload });
    let isOver = false;
    void answer.finally(() => (isOver = true));
    // The publisher of this test: handles messages until the answer is there.
    while (!isOver) {
      await publishAll(portal.context);
      await new Promise(resolve => setImmediate(resolve));
    }
    return answer;
  };
  /** Sends a message and reads the signed answer. */
  const ask = async (content: string, flaw?: Flaw): Promise<string> => {
    const answer = await post(child.serviceOf(parentResponse), 'application/rpki-updown', child.message(content, flaw));
    expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
    return child.read(answer.rawPayload, parentResponse);
  };
  const publish = async (content: string): Promise<string> => {
    const answer = await post(child.serviceOf(repositoryResponse), 'application/rpki-publication', child.message(content));
    expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
    return child.read(answer.rawPayload, repositoryResponse);
  };
  const found = async (): Promise<string[]> => {
    const { problems, vrps } = await checkRepository(portal.db.read, clock());
    const listed = await listVrps(portal.db.read);
    expect([problems, vrps]).toEqual([[], listed.length]);
    return listed.map(({ prefix, asn, maxLength }) => `AS${asn} ${prefix}-${maxLength}`);
  };

  const formerHolders = async (): Promise<string[]> =>
    (await checkInvariants(portal.context, null))
      .filter(({ name }) => name === 'rpki.formerHolders')
      .flatMap(({ violations }) => violations.map(({ object, problem }) => `${object} ${problem}`));

  test('is set up with the files of RFC 8183, by a contact with the permission and a second factor', async () => {
    expect(await status()).toMatchObject({ authority: null, certifiable: expect.arrayContaining(['198.18.0.0/19']) });
    const body = { childRequest: child.childRequest };
    expect((await (await portal.as('bill'))(api.rpkiSelfHosted.connect, { account, body })).errors![0]!.code).toBe('NO_PERMISSION');
    const weak = await portal.as('corin', { mfa: false });
    expect((await weak(api.rpkiSelfHosted.connect, { account, body })).errors![0]!.code).toBe('MFA_REQUIRED');
    expect(
      (await corin(api.rpkiSelfHosted.publishHere, { account, body: { publisherRequest: child.publisherRequest } })).errors![0]!.code,
    ).toBe('NOT_SELF_HOSTED');
    const mails = () =>
      portal.db.read
        .selectFrom('mail')
        .select(['subject', 'freezeLinkId'])
        .where('recipient', '=', 'corin@example-au.example')
        .orderBy('mailId')
        .execute();
    const before = (await mails()).length;
    expect((await corin(api.rpkiSelfHosted.connect, { account, body })).data!.authority).toMatchObject({
      handle: 'Example-AU',
      parentResponse: null,
    });
    expect((await corin(api.rpkiSelfHosted.connect, { account, body })).errors![0]!.code).toBe('SELF_HOSTED_ALREADY');
    await publishAll(portal.context);
    parentResponse = (await status()).authority!.parentResponse!;
    expect(parentResponse).toMatch(
      /^<parent_response .*service_uri="http:\/\/portal\.test\/rpki\/provisioning\/[0-9a-f]{24}" child_handle="Example-AU"/,
    );
    expect(parentResponse).toContain('tag="A1"');
    const { data } = await corin(api.rpkiSelfHosted.publishHere, { account, body: { publisherRequest: child.publisherRequest } });
    repositoryResponse = data!.authority!.publication!.repositoryResponse!;
    await corin(api.rpkiSelfHosted.publishHere, { account, body: { publisherRequest: child.publisherRequest } });
    expect((await mails()).slice(before), 'each step is announced once').toEqual([
      { subject: 'A certificate authority of EXAMPLE-AU was connected', freezeLinkId: expect.anything() },
      { subject: 'A certificate authority of EXAMPLE-AU can publish here', freezeLinkId: expect.anything() },
    ]);
    const { body: words } = (await portal.mailsTo('corin@example-au.example')).at(-1)!;
    const [, identity] = /<publisher_bpki_ta>([^<]+)</.exec(child.publisherRequest)!;
    const fingerprint = createHash('sha256').update(Buffer.from(identity!, 'base64')).digest('hex').toUpperCase();
    expect(words.replaceAll(':', '')).toContain(fingerprint);
    base = child.baseOf(repositoryResponse);
    expect(base).toMatch(/\/delegated\/[0-9a-f]{24}\/$/);
  });

  test.each([
    ['not XML', 'hello', 'not well-formed XML'],
    ['another file', '<parent_response xmlns="http://www.hactrn.net/uris/rpki/rpki-setup/" version="1"/>', 'not a publisher_request'],
    ['a document type', `<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>${child.publisherRequest}`, 'document type'],
    ['an entity', child.publisherRequest.replace('Example-AU', '&amp;boom;'), 'characters other than'],
    ['no certificate', child.publisherRequest.replace(/<publisher_bpki_ta>.*<\/publisher_bpki_ta>/, ''), 'exactly one'],
    ['a broken certificate', child.publisherRequest.replace(/MII/, 'MIJ'), ''],
    [
      'a certificate signed by another key',
      child.publisherRequest.replace(/.{12}(?=<\/publisher_bpki_ta>)/, 'AAAAAAAAAAAA'),
      'not signed with its own key',
    ],
  ])('refuses a set-up file that is %s', async (_what, publisherRequest, sentence) => {
    const { errors } = await corin(api.rpkiSelfHosted.publishHere, { account, body: { publisherRequest } });
    expect(errors![0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'publisherRequest', message: expect.stringContaining(sentence) });
  });

  test('lists, issues and publishes: validators find its ROAs', async () => {
    const listed = await ask(child.list);
    expect(listed).toContain('type="list_response"');
    expect(listed).toMatch(
      /class_name="registry" cert_url="rsync:[^"]*" resource_set_as="64500[^"]*" resource_set_ipv4="198\.18\.0\.0\/19[^"]*"/,
    );
    const issued = await ask(child.issue(base));
    expect(issued).toContain('type="issue_response"');
    const certificate = child.takeCertificate(issued);
    expect(certificate).toMatchObject({ kind: 'authority', repositoryUri: base });
    expect(await publish(child.listPublished)).toMatch(/type="reply"\/>$/);
    const first = child.files([{ prefix: '198.18.0.0/19', asn: 64500, maxLength: 24 }]);
    expect(await publish(child.publish(first))).toContain('<success/>');
    expect(await found()).toEqual(['AS64500 198.18.0.0/19-24']);
    const second = child.files([{ prefix: '198.18.0.0/20', asn: 64500, maxLength: 20 }]);
    expect(await publish(child.publish(second, first))).toContain('<success/>');
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
    expect((await status()).authority).toMatchObject({ vrps: 1, publication: { files: 3, problems: [] }, keys: [{ publishesHere: true }] });
    expect(await publish(child.listPublished)).toMatch(/(?:<list uri="rsync[^"]*" hash="[0-9a-f]{64}"\/>){3}<\/msg>$/);
  });

  test('a certificate covers no more than requested, and everything again afterwards', async () => {
    const some = child.takeCertificate(
      await ask(child.issue(base, { only: ' req_resource_set_ipv4="198.18.0.0/20" req_resource_set_as="" req_resource_set_ipv6=""' })),
    );
    expect(some.resources).toMatchObject({ asn: [], ipv6: [] });
    const all = child.takeCertificate(await ask(child.issue(base)));
    expect(all.resources).not.toEqual(some.resources);
    expect(
      await ask(child.issue(base, { only: ' req_resource_set_ipv4="10.0.0.0/8" req_resource_set_as="" req_resource_set_ipv6=""' })),
    ).toContain('<status>1202</status>');
  });

  const other = keyOf();
  test.each<[string, () => string, number]>([
    ['another class', () => child.issue(base, { className: 'gold' }), 1201],
    ['the directory of another authority', () => child.issue(base.replace(/delegated\/.*/, 'registry/'), { of: other }), 1203],
    ['a directory without its slash', () => child.issue('rsync://elsewhere.example/repo', { of: other }), 1203],
    ['a request that is none', () => child.upDownMessage('issue', '<request class_name="registry">AAAA</request>'), 1203],
    [
      'a request whose signature is wrong',
      () => {
        const bytes = child.request('rsync://elsewhere.example/repo/', other);
        bytes[bytes.length - 1]! ^= 1;
        return child.upDownMessage('issue', `<request class_name="registry">${printBase64(bytes)}</request>`);
      },
      1203,
    ],
    ['resources that cannot be read', () => child.issue(base, { only: ' req_resource_set_ipv4="everything"' }), 1203],
    ['a key that was never certified', () => child.revoke(other), 1302],
    ['an unknown type', () => child.upDownMessage('give'), 1103],
    ['another version', () => child.list.replace('version="1"', 'version="2"'), 1102],
  ])('a request for %s is refused by the protocol', async (_what, content, code) => {
    expect(await ask(content())).toContain(`<status>${code}</status>`);
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
  });

  test.each<[string, (now: number) => Flaw, string?]>([
    ['signed with another key', () => ({ signer: other })],
    ['signed long ago', now => ({ signedAt: new Date(now - HOUR_MS) })],
    ['signed in the future', now => ({ signedAt: new Date(now + HOUR_MS) })],
    ['signed with a revoked certificate', () => ({ isRevoked: true })],
    ['with a CRL that has ended', now => ({ crlEnds: new Date(now - MINUTE_MS) })],
    ['from another sender', () => ({ content: child.upDownMessage('list', '', 'Mallory') })],
    ['with a document type', () => ({ content: `<!DOCTYPE message [<!ENTITY a "aaaa">]>${child.list}` })],
    ['that is no XML', () => ({ content: '{"type":"list"}' })],
    ['with a million elements', () => ({ content: child.upDownMessage('list', '<a/>'.repeat(10_000)) })],
    ['that is nested deeply', () => ({ content: child.upDownMessage('list', '<a>'.repeat(500)) })],
    ['for the other protocol', () => ({ content: child.listPublished })],
  ])('a message %s is refused and reaches no key', async (_what, flaw) => {
    const { content = child.list, ...rest } = flaw(Date.now());
    const { statusCode } = await post(child.serviceOf(parentResponse), 'application/rpki-updown', child.message(content, rest));
    expect(statusCode).toBe(400);
    const [row] = await portal.db.read.rows<{ count: number }>(sql`select count(*)::int as count from rpki_message`);
    expect(row!.count).toBe(0);
  });

  test('a message is accepted once, from its own authority, with the right type and size', async () => {
    const url = child.serviceOf(parentResponse);
    const message = child.message(child.list);
    expect((await post(url, 'application/rpki-updown', message)).statusCode).toBe(200);
    expect((await post(url, 'application/rpki-updown', message)).body).toMatch(/sent before/);
    expect((await post(url, 'application/json', message)).statusCode).toBe(415);
    expect((await post(url, 'application/rpki-updown', Buffer.alloc(100_000))).statusCode).toBe(413);
    expect((await post(url, 'application/rpki-updown', Buffer.alloc(1000, 0x30))).statusCode).toBe(400);
    expect((await post(url.replace(/.{24}$/, '0'.repeat(24)), 'application/rpki-updown', message)).statusCode).toBe(404);
    const stranger = selfHostedAuthority('Example-AU', { ...keys, identity: keyOf() }, () => new Date());
    expect((await post(url, 'application/rpki-updown', stranger.message(child.list))).body).toMatch(/not issued by the identity/);
  });

  test.each<[string, (uri: string) => string, string]>([
    ['of another directory', uri => uri.replace(/delegated\/[^/]*/, 'registry'), 'permission_failure'],
    ['above its own', uri => uri.replace(/[^/]*$/, '../x.roa'), 'permission_failure'],
    ['with another ending', uri => uri.replace(/[^/]*$/, 'x.html'), 'permission_failure'],
    ['with a name of 4,000 letters', uri => uri.replace(/[^/]*$/, `${'a'.repeat(4000)}.roa`), 'permission_failure'],
    ['in a folder of 300 letters', uri => uri.replace(/[^/]*$/, `${'a'.repeat(300)}/x.roa`), 'permission_failure'],
    ['on another host', uri => uri.replace(/^rsync:\/\/[^/]*/, 'rsync://elsewhere.example'), 'permission_failure'],
    ['that is there already', uri => uri, 'object_already_present'],
  ])('a file %s is not published, nor what is sent with it', async (_what, change, code) => {
    const uri = `${base}roa-0.roa`;
    const all = new Map([
      [`${base}fine.roa`, new Uint8Array(200)],
      [change(uri), new Uint8Array(200)],
    ]);
    expect(await publish(child.publish(all))).toContain(`error_code="${code}"`);
    expect(await publish(child.listPublished)).not.toContain('fine.roa');
  });

  test('a file is replaced and withdrawn only by its hash', async () => {
    const wrong = new Map([[`${base}roa-0.roa`, new Uint8Array(5)]]);
    expect(await publish(child.publish(new Map(), wrong))).toContain('no_object_matching_hash');
    expect(await publish(child.publish(new Map(), new Map([[`${base}none.roa`, new Uint8Array(5)]])))).toContain('no_object_present');
    expect(await publish('<msg xmlns="http://www.hactrn.net/uris/rpki/publication-spec/" version="3" type="query"/>')).toContain(
      'xml_error',
    );
  });

  test('what validators would refuse is shown on the page, and doesn’t affect others', async () => {
    await publish(child.publish(new Map([[`${base}stray.roa`, new Uint8Array(300)]])));
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
    await publish(child.publish(new Map(), new Map([[`${base}stray.roa`, new Uint8Array(300)]])));
  });

  test('hosted RPKI can run beside it, and ROAs that only it has are counted before it is turned off', async () => {
    await corin(api.rpki.enable, { account });
    await publishAll(portal.context);
    const add = [
      { prefix: '198.18.0.0/20', asn: 'AS64500' },
      { prefix: '2001:db8::/32', asn: 'AS64500' },
    ] as never;
    const { errors } = await corin(api.rpki.changeRoas, { account, body: { version: 1, add, remove: [] } });
    expect(errors).toBeUndefined();
    await publishAll(portal.context);
    expect((await status()).authority!.hostedAlone).toEqual({ count: 1, roas: ['AS64500 2001:db8::/32, max /32'] });
    const { data } = await corin(api.rpki.listRoas, { account, query: {} });
    await corin(api.rpki.revoke, { account, body: { version: data!.version, removing: 2 } });
    await publishAll(portal.context);
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
  });

  test('returned space stays on its certificate for a day, unless it releases it first', async () => {
    const [row] = await portal.db.read.selectFrom('delegation').select('delegationId').where('resource', '=', '203.0.113.0/24').execute();
    await portal.db.change(activity, tx => closeDelegations(tx, [row!.delegationId]));
    await publishAll(portal.context);
    const [key] = (await status()).authority!.keys;
    expect(key).toMatchObject({ resources: expect.arrayContaining(['203.0.113.0/24']), shrinksAt: expect.any(String) });
    expect(await ask(child.list)).not.toMatch(/resource_set_ipv4="[^"]*203\.0\.113\.0/);
    expect(await formerHolders()).toEqual([]);
    await portal.db.change(activity, tx => tx.rows(sql`update rpki_child_key set shrinks_at = now() - interval '1 minute'`));
    await publishAll(portal.context);
    expect((await status()).authority!.keys[0]).toMatchObject({
      resources: expect.not.arrayContaining(['203.0.113.0/24']),
      shrinksAt: null,
    });
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
  });

  test('space that another account now holds leaves its certificate with the same publication', async () => {
    const give = (accountName: string) =>
      portal.db.change(activity, tx => tx.updateTable('delegation').set({ accountName }).where('resource', '=', sold).execute());
    const certified = async () =>
      (await status()).authority!.keys.map(({ resources, shrinksAt }) => ({ has: resources.includes(sold), shrinksAt }));
    expect(await certified()).toEqual([{ has: true, shrinksAt: null }]);
    await give('OTHER-SG');
    expect(await formerHolders(), 'what is due is no violation').toEqual([]);
    await portal.db.change(activity, tx => tx.rows(sql`delete from rpki_due where account_name = ${account}`));
    expect(await formerHolders()).toEqual([`The certificate of the authority of ${account} has ${sold}, which someone else holds`]);
    await portal.db.change(activity, tx => tx.rows(sql`insert into rpki_due (account_name, noticed_at) values (${account}, now())`));
    await publishAll(portal.context);
    expect(await certified()).toEqual([{ has: false, shrinksAt: null }]);
    expect(await formerHolders()).toEqual([]);
    await give(account);
    await publishAll(portal.context);
    expect(await certified()).toEqual([{ has: true, shrinksAt: null }]);
  });

  test('a suspended account has no certificate, and gets it back when it is open', async () => {
    const set = (accountStatus: 'open' | 'suspended') =>
      portal.db.change(activity, tx => tx.updateTable('account').set({ accountStatus }).where('accountName', '=', account).execute());
    await set('suspended');
    await publishAll(portal.context);
    expect(await found()).toEqual([]);
    expect(await ask(child.list)).toMatch(/type="list_response"\/>$/);
    await set('open');
    await publishAll(portal.context);
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
  });

  test('the member is warned once before the manifest of a stopped program ends, and its payloads are gone afterwards', async () => {
    const judgement = async () =>
      (
        await portal.db.read.rows<{ endsAt: string | null; problems: string[] }>(sql`select ends_at, problems from rpki_child_judgement`)
      )[0]!;
    const warnings = async () =>
      (
        await portal.db.read.rows<{ recipient: string }>(
          sql`select recipient from mail where subject like 'What the certificate authority of EXAMPLE-AU publishes ends on %' order by recipient`,
        )
      ).map(({ recipient }) => recipient);
    const published = async () =>
      new Map(
        (
          await portal.db.read.rows<{ uri: string; content: Buffer }>(sql`select uri, content from rpki_object where child_id is not null`)
        ).map(({ uri, content }) => [uri, new Uint8Array(content)]),
      );
    const warn = periodicHandler(portal.context, warnOfEndingFiles);
    const { endsAt } = await judgement();
    offset = Date.parse(endsAt!) - Date.now() - endingMs - MINUTE_MS;
    await warn();
    expect(await warnings()).toEqual([]);
    offset += 2 * MINUTE_MS;
    await warn();
    const told = await warnings();
    expect(told).toContain('corin@example-au.example');
    await warn();
    expect(await warnings()).toEqual(told);
    offset += endingMs - 2 * MINUTE_MS;
    await publishAll(portal.context);
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
    offset += 2 * MINUTE_MS;
    await publishAll(portal.context);
    expect(await found()).toEqual([]);
    expect(await judgement()).toEqual({ endsAt: null, problems: [expect.stringMatching(/(CRL|manifest) is out of date/)] });
    // It isn't judged again until it publishes.
    expect(isDue(await findDue(portal.db.read, clock(), false))).toBe(false);
    // Its program runs again.
    const roas = [{ prefix: '198.18.0.0/20', asn: 64500, maxLength: 20 }];
    expect(await publish(child.publish(child.files(roas), await published()))).toContain('<success/>');
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
    // Its clock is ahead: its objects count once they are valid.
    offset += 10 * MINUTE_MS;
    const early = child.files(roas);
    offset -= 10 * MINUTE_MS;
    expect(await publish(child.publish(early, await published()))).toContain('<success/>');
    expect(await found()).toEqual([]);
    expect((await judgement()).problems).toEqual([expect.stringMatching(/CRL is not valid yet/)]);
    offset += 6 * MINUTE_MS;
    await publishAll(portal.context);
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
    corin = await portal.as('corin');
  });

  test('a revoked key is not certified again; disconnecting revokes everything, after a number is typed', async () => {
    expect(await ask(child.revoke())).toContain('type="revoke_response"');
    expect(await found()).toEqual([]);
    await ask(child.issue(base));
    expect(await found()).toEqual(['AS64500 198.18.0.0/20-20']);
    expect((await corin(api.rpkiSelfHosted.disconnect, { account, body: { removing: 0 } })).errors![0]!.code).toBe('ROA_COUNT_WRONG');
    expect((await corin(api.rpkiSelfHosted.disconnect, { account, body: { removing: 1 } })).data!.authority).toBeNull();
    await publishAll(portal.context);
    expect(await found()).toEqual([]);
    const [left] = await portal.db.read.rows<{ files: number }>(
      sql`select count(*)::int as files from rpki_object where kind = 'delegated'`,
    );
    expect(left!.files).toBe(0);
    expect((await post(child.serviceOf(parentResponse), 'application/rpki-updown', child.message(child.list))).statusCode).toBe(404);
  });
});
