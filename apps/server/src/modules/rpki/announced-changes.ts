import type { AnswerOf } from '@portal/contract';
import type { Aspa, rpkiAspas } from '@portal/contract/rpki/aspas';
import type { RpkiStatus, rpki } from '@portal/contract/rpki/rpki';
import type { rpkiSelfHosted, SelfHosted } from '@portal/contract/rpki/self-hosted';
import { printAsNumber } from '@portal/number-resources';
import { type Introduction, printHex } from '@portal/rpki-objects';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { keptAspas, printAspa, removeAspa, saveAspa } from './aspas.ts';
import { nodeCryptography } from './authorities/cryptography.ts';
import {
  announceAspa,
  announceConnection,
  announceEnabled,
  announceEntries,
  announceRollover,
  rpkiPage,
  unexpected,
} from './change-notices.ts';
import { type Child, findChild } from './children/children.ts';
import { connectAuthority, publishHere } from './children/self-hosted.ts';
import { activateKey, enableRpki, type HostedAuthority, startRollover } from './hosted-rpki.ts';
import { keptRoas, printRoa } from './roa-changes.ts';
import { changeRoas } from './roas.ts';

/** Enables hosted RPKI, and announces it. @throws Failure as `enableRpki` does */
export async function enableAnnounced({ change, account, registry: { config } }: Act<typeof rpki.enable>): Promise<RpkiStatus> {
  const status = await enableRpki(change, account, config);
  await announceEnabled(change, account, status.missing);
  return status;
}

/** Starts a key rollover, and announces it. @throws Failure as `startRollover` does */
export async function startRolloverAnnounced({
  change,
  account,
  registry: { config },
}: Act<typeof rpki.startRollover>): Promise<RpkiStatus> {
  const status = await startRollover(change, account, config);
  await announceRollover(change, account, { activateFrom: status.rollover!.activateFrom });
  return status;
}

/** Lets the new key take over, and announces it. */
export async function activateKeyAnnounced({
  change,
  account,
  row,
  registry: { config },
}: CaseAct<typeof rpki.activateKey, HostedAuthority>): Promise<RpkiStatus> {
  const status = await activateKey(change, account, row, config);
  await announceRollover(change, account, { activateFrom: null });
  return status;
}

/** `4F:0A:…`, as other authorities print the fingerprint of a certificate. */
const fingerprintOf = (certificate: Uint8Array): string =>
  printHex(nodeCryptography.sha256(certificate))
    .toUpperCase()
    .replaceAll(/..(?=.)/g, '$&:');

/** Connects a member's own certificate authority, and announces whose keys that are. @throws Failure as `connectAuthority` does */
export async function connectAnnounced(
  { change, account, registry: { config } }: Act<typeof rpkiSelfHosted.connect>,
  introduction: Introduction,
): Promise<SelfHosted> {
  const answer = await connectAuthority(change, account, introduction, config);
  const { childHandle, identity } = (await findChild(change, account.accountName))!;
  await announceConnection(change, account, { act: 'connected', handle: childHandle, fingerprint: fingerprintOf(identity) });
  return answer;
}

/** Lets it publish in this repository, and announces that unless it already could. @throws Failure as `publishHere` does */
export async function publishHereAnnounced(
  { change, account, registry: { config } }: Act<typeof rpkiSelfHosted.publishHere>,
  introduction: Introduction,
): Promise<SelfHosted> {
  const keyOf = (child: Child | null): string | null => child?.publisherIdentity?.toString('hex') ?? null;
  const before = keyOf(await findChild(change, account.accountName));
  const answer = await publishHere(change, account, introduction, config);
  const child = (await findChild(change, account.accountName))!;
  if (keyOf(child) === before) return answer;
  const { publisherHandle, publisherIdentity } = child;
  await announceConnection(change, account, {
    act: 'publishes here',
    handle: publisherHandle!,
    fingerprint: fingerprintOf(publisherIdentity!),
  });
  return answer;
}

/** Changes ROAs, and announces what changed. @throws Failure as `changeRoas` does */
export async function changeRoasAnnounced({
  change,
  account,
  body: { invalidating, ...body },
}: Act<typeof rpki.changeRoas>): Promise<AnswerOf<typeof rpki.changeRoas>> {
  const before = await keptRoas(change, account.accountName);
  const gone = new Set(body.remove);
  const answer = await changeRoas(change, account, body, { invalidating });
  const print = (roas: readonly Parameters<typeof printRoa>[0][]): string[] => roas.map(roa => `ROA ${printRoa(roa)}`);
  await announceEntries(
    change,
    account,
    { Added: print(answer.added), Removed: print(before.filter(({ roaId }) => gone.has(roaId))) },
    { what: 'ROAs', ...rpkiPage, more: [unexpected] },
  );
  return answer;
}

/** States the providers of an AS, and announces them. @throws Failure as `saveAspa` does */
export async function saveAspaAnnounced({ change, account, body }: Act<typeof rpkiAspas.saveAspa>): Promise<Aspa> {
  const present = await keptAspas(change, account.accountName);
  const saved = await saveAspa(change, account, body);
  const before = present.find(({ customer }) => customer === saved.customer);
  // A comment isn't published.
  if (before && printAspa(before) === printAspa(saved)) return saved;
  await announceAspa(change, account, {
    customer: printAsNumber(saved.customer),
    before: before ? printAspa(before) : null,
    after: printAspa(saved),
  });
  return saved;
}

/** Removes a provider authorisation, and announces that. @throws Failure as `removeAspa` does */
export async function removeAspaAnnounced({ change, account, params: { aspaId }, body }: Act<typeof rpkiAspas.removeAspa>): Promise<void> {
  const before = (await keptAspas(change, account.accountName)).find(each => each.aspaId === aspaId);
  await removeAspa(change, account, { ...body, aspaId });
  await announceAspa(change, account, { customer: printAsNumber(before!.customer), before: printAspa(before!), after: null });
}
