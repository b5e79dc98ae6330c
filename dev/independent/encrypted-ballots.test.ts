import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import {
  archiveOf,
  authorityName,
  ballotOf,
  cast,
  credentialList,
  type Credentials,
  draftEncrypted,
  makeCredentials,
  sendTrusteeMessage,
  trusteeNames,
  trusteeView,
  verified,
} from '../../apps/server/test/encrypted-election.ts';
import { inDays } from '../../apps/server/test/example-election.ts';
import { testPortal } from '../../apps/server/test/portal.ts';
import { seconded } from '../../apps/server/test/scrutineer.ts';
import { closeVoting } from '../../apps/server/src/modules/encrypted-ballots/counting.ts';
import { rightKeyOf } from '../../packages/ballots/src/index.ts';
import { BeleniosFolder, beleniosIsInstalled } from './belenios.ts';

describe.runIf(beleniosIsInstalled)('an election of the portal with belenios-tool', () => {
  test('its authority, trustees and a voter use the tool, and it accepts the archive at each step unchanged', async () => {
    // The clock moves, as an election is announced before it is voted on.
    let now = Date.now();
    await using portal = await testPortal(undefined, {}, () => new Date(now));
    using folder = new BeleniosFolder();
    const windows = [{ kind: 'member-vote' as const, opensAt: inDays(5), closesAt: inDays(7), url: '' }];
    const electionId = await draftEncrypted(portal, { values: { windows } });

    // The authority: credentials of the tool, from which the rights are derived.
    const { uuid, byAccount } = await makeCredentials(portal, electionId);
    folder.write('voters.txt', [...byAccount].map(([account, { votes }]) => `${account},,${votes}\n`).join(''));
    const printed = await folder.tool([
      'setup',
      'generate-credentials',
      '--group',
      'BELENIOS-2048',
      '--uuid',
      uuid,
      '--file',
      'voters.txt',
    ]);
    const [privateFile] = folder.names('.privcreds');
    const made = folder
      .read(privateFile!)
      .split('\n')
      // `EXAMPLE-AU,,8 credential`
      .map(line => line.split(/,[^ ]* /) as [string, string]);
    const credentials: Credentials = {
      uuid,
      byAccount: new Map(made.map(([account, credential]) => [account, { credential, votes: byAccount.get(account)!.votes }])),
    };
    const nadia = await portal.as(authorityName);
    const sent = await nadia(api.ballotCredentials.sendCredentials, {
      electionId,
      body: { credentials: await credentialList(credentials) },
    });
    expect(printed.at(-1)).toBe(`The fingerprint of public credentials is ${sent.data!.fingerprint}`);

    // Trustees: each step by the tool.
    const send = async (name: string, step: Parameters<typeof sendTrusteeMessage>[2]['step'], message: string) =>
      expect((await sendTrusteeMessage(portal, name, { electionId, step, message })).errors).toBe(undefined);
    for (const name of trusteeNames) {
      await folder.step(1);
      const last = folder.names('.cert').find(file => folder.read(file) !== '' && !taken.has(file))!;
      taken.add(last);
      keyFiles.set(name, last.replace('.cert', '.key'));
      await send(name, 'certificate', folder.read(last));
    }
    const certs = ['--certs', 'certs.jsons'];
    folder.write('certs.jsons', `${(await trusteeView(portal, 'hana', electionId)).certificates!.join('\n')}\n`);
    await folder.step(2, certs);
    for (const name of trusteeNames) {
      const [polynomial] = await folder.step(3, [...certs, '--key', keyFiles.get(name)!, '--threshold', '2']);
      await send(name, 'polynomial', polynomial!);
    }
    for (const name of trusteeNames) {
      const { input } = await trusteeView(portal, name, electionId);
      const [share] = await folder.step(5, [...certs, '--key', keyFiles.get(name)!], `${input}\n`);
      await send(name, 'share', share!);
    }

    const stella = await portal.as('stella');
    expect((await (await portal.as('dora'))(api.encryptedBallotSetup.setUpBallot, { electionId })).errors).toBe(undefined);
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    const publishing = await stella(api.elections.publishElection, { electionId, body: { version } });
    expect((await seconded(portal, publishing)).errors).toBe(undefined);
    const accepts = async () => folder.accepts(uuid, await archiveOf(portal, electionId));
    expect(await accepts()).toBe(true);

    now += 5.5 * DAY_MS;
    const open = { electionId, credentials };
    const own = await ballotOf(portal, open, 'EXAMPLE-AU', [0, 2], 'corin');
    expect((await cast(portal, electionId, { as: 'corin', account: 'EXAMPLE-AU', body: own })).errors).toBe(undefined);
    const { credential } = credentials.byAccount.get('NATREG-XX')!;
    const theirs = { ballot: await folder.ballot(credential, [[0, 1, 0, 0]]), rightKey: await rightKeyOf(credential, uuid) };
    expect((await cast(portal, electionId, { as: 'nils', account: 'NATREG-XX', body: theirs })).errors).toBe(undefined);
    const voting = await archiveOf(portal, electionId);
    expect(await accepts()).toBe(true);

    now += 2 * DAY_MS;
    await closeVoting(portal.db, new Date(now));
    expect(await accepts()).toBe(true);
    const count = await (await portal.as('dora'))(api.encryptedBallotSetup.startCount, { electionId, body: { readableVotes: [8, 64] } });
    expect((await seconded(portal, count)).errors).toBe(undefined);
    folder.archive(uuid, await archiveOf(portal, electionId));
    for (const name of ['olive', 'tilda'] as const) {
      const { share, number } = await trusteeView(portal, name, electionId);
      // The tool takes the private part of the share, sealed for the trustee.
      const file = folder.write(`${name}.dkey`, (JSON.parse(share!) as { private_key: string }).private_key);
      const [decryption] = await folder.decryptTogether(keyFiles.get(name)!, file, number);
      await send(name, 'decryption', decryption);
      folder.archive(uuid, await archiveOf(portal, electionId));
    }
    expect(await accepts()).toBe(true);
    const whole = await archiveOf(portal, electionId);
    expect(await verified(whole)).toMatchObject({ stage: 'Result', result: [[0, 72, 0, 8]], decryptedBy: [1, 3, 4] });
    expect(await folder.extends(uuid, voting, whole)).toBe(true);
    expect(await folder.tool(['election', 'compute-result'])).toEqual(['{"result":[[0,72,0,8]]}']);
  });
});

/** Files of the keys of trustees by name, and the certificates that are someone's. */
const keyFiles = new Map<string, string>();
const taken = new Set<string>();
