import { accountRows } from '../../accounts/index.ts';
import { emptySet, isEmptySet, type ResourceSet, subtractSets } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import { heldByOthers, holdingsOf } from '../../resources/index.ts';
import {
  certifiedNow,
  type Certifying,
  certifyChild,
  type ChildCertificateChange,
  decideProvisioning,
  printAnswer,
  type ProvisioningAnswer,
  storeChildCertificates,
} from './child-certificates.ts';
import { noteChangedChildren } from './child-judgements.ts';
import { answerPublication, type DelegatedFile, stillWaiting, type WaitingMessage, withdrawnFiles } from './child-messages.ts';
import { type Child, type ChildKey, childKeysOf, childrenOf } from './children.ts';
import { childCertificateUri } from '../drafts.ts';
import type { Due } from '../authorities/due-authorities.ts';
import { ensureIdentity, signAnswers } from '../identity.ts';
import type { KeyRow } from '../authorities/keys.ts';
import type { CaSigner, MadeKey } from '../authorities/signer.ts';
import { publishedAccounts, type SuspensionRule } from '../suspensions.ts';

/** An answer to a message: its text, or the data to print it from once certificates are made. */
type Answer = { message: WaitingMessage; child: Child | null; text: string | null; provisioning: ProvisioningAnswer | null };

/** Work of one publication for self-hosted authorities. */
export type ChildWorks = {
  identity: KeyRow | null;
  certificates: ChildCertificateChange[];
  files: DelegatedFile[];
  answers: Answer[];
  keys: Map<number, ChildKey[]>;
  entitled: (child: Child) => ResourceSet;
};

/** Plans the work for members' own authorities: answers to messages already read, certificates, and files they publish here. */
export async function planChildren(
  change: Change,
  due: Due,
  {
    signer,
    read,
    suspension,
    ...certifying
  }: Certifying & { signer: CaSigner; read: readonly WaitingMessage[]; suspension: SuspensionRule },
): Promise<ChildWorks> {
  const messages = await stillWaiting(change, read);
  const named = await change.rows<{ accountName: string }>(
    sql`select account_name from rpki_child where child_id = any(${messages.map(({ childId }) => childId)}::bigint[])`,
  );
  const children = await childrenOf(change, [...new Set([...due.accountNames, ...named.map(({ accountName }) => accountName)])]);
  const works: ChildWorks = { identity: null, certificates: [], files: [], answers: [], keys: new Map(), entitled: () => emptySet };
  if (children.length === 0 && messages.length === 0) return works;
  works.identity = await ensureIdentity(change, signer, certifying.drafting.now);
  const accountNames = [...new Set(children.map(({ accountName }) => accountName))];
  const held = await holdingsOf(change, accountNames);
  const accounts = await accountRows(change, accountNames);
  const published = await publishedAccounts(change, accountNames, suspension, certifying.drafting.now);
  works.entitled = ({ accountName, state }) => (state === 'active' && published.has(accountName) ? held.get(accountName)! : emptySet);
  const childIds = children.map(({ childId }) => childId);
  for (const childId of childIds) works.keys.set(childId, []);
  for (const key of await childKeysOf(change, childIds)) works.keys.get(key.childId)!.push(key);

  const decided = new Map<string, ChildCertificateChange | null>();
  for (const message of messages) {
    const child = children.find(({ childId, state }) => childId === message.childId && state === 'active') ?? null;
    works.answers.push(await answerOf(change, { message, child, works, decided }, certifying));
  }
  for (const child of children)
    for (const key of works.keys.get(child.childId)!)
      if (!decided.has(key.keyIdentifier)) {
        const { shrinksAt } = key;
        const entitled = works.entitled(child);
        const lost = subtractSets(certifiedNow(key), entitled);
        const ofOthers = isEmptySet(lost) ? emptySet : await heldByOthers(change, child.accountName, lost);
        decided.set(key.keyIdentifier, certifyChild({ key, child, entitled, heldByOthers: ofOthers, isAsked: false }, certifying));
        // Recorded even if the certificate stays unchanged for now.
        if (key.shrinksAt !== shrinksAt)
          await change.rows(
            sql`update rpki_child_key set shrinks_at = ${key.shrinksAt}::timestamptz where child_key_id = ${key.childKeyId}`,
          );
      }
  works.certificates = [...decided.values()].filter(each => each !== null);
  const gone = children.filter(({ state, accountName }) => state === 'removed' || accounts.get(accountName)?.accountStatus === 'closed');
  works.files.push(
    ...(await withdrawnFiles(
      change,
      gone.map(({ childId }) => childId),
    )),
  );
  return works;
}

type Deciding = { message: WaitingMessage; child: Child | null; works: ChildWorks; decided: Map<string, ChildCertificateChange | null> };

async function answerOf(change: Change, { message, child, works, decided }: Deciding, certifying: Certifying): Promise<Answer> {
  // Removed while its message waited, so no one waits for the answer.
  if (!child) return { message, child, text: null, provisioning: null };
  if (message.protocol === 'publication') {
    const { answer, files } = await answerPublication(change, child.childId, message.parsed);
    works.files.push(...files);
    return { message, child, text: answer, provisioning: null };
  }
  const keys = works.keys.get(child.childId)!;
  const entitled = works.entitled(child);
  const provisioning = await decideProvisioning(
    change,
    {
      child,
      parsed: message.parsed,
      keys,
      entitled,
      issue: key =>
        decided.set(key.keyIdentifier, certifyChild({ key, child, entitled, heldByOthers: emptySet, isAsked: true }, certifying)),
      revoke: key => decided.set(key.keyIdentifier, { key, child, resources: emptySet, draft: null }),
    },
    certifying,
  );
  return { message, child, text: null, provisioning };
}

type Made = ReadonlyMap<string, { content: Uint8Array; serial: string | null; modifiedAt: Date; notAfter: Date }>;

/** Stores the issued certificates, and answers the messages. @param issuer the registry's certificate */
export async function finishChildren(
  change: Change,
  works: ChildWorks,
  {
    products,
    issuer,
    certifying,
    signer,
    takeKey,
  }: {
    products: Made;
    issuer: { bytes: Uint8Array; notAfter: Date };
    certifying: Certifying;
    signer: CaSigner;
    takeKey: () => MadeKey;
  },
): Promise<void> {
  await storeChildCertificates(change, works.certificates, products);
  const revoked = works.answers.flatMap(({ provisioning }) => (provisioning?.decided.kind === 'revoked' ? [provisioning.decided.ski] : []));
  const gone = works.certificates.filter(
    ({ key, child }) =>
      child.state === 'removed' || revoked.some(ski => Buffer.from(ski, 'base64url').toString('hex') === key.keyIdentifier),
  );
  await change.rows(
    sql`delete from rpki_child_key where certificate is null and child_key_id = any(${gone.map(({ key }) => key.childKeyId)}::bigint[])`,
  );
  const touched = new Set([...works.certificates.map(({ child }) => child.childId), ...works.files.map(({ childId }) => childId)]);
  await noteChangedChildren(change, [...touched]);
  const known = works.answers.filter(({ child }) => child !== null);
  const texts = known.map(
    ({ text, provisioning, child }) =>
      text ??
      printAnswer(provisioning!, {
        keys: works.keys.get(child!.childId)!,
        entitled: works.entitled(child!),
        issuer,
        uriOf: key => childCertificateUri(key, certifying.issuer, certifying.drafting.places),
        issuerUri: certifying.issuerUri,
      }),
  );
  const signed = texts.length === 0 ? [] : await signAnswers(works.identity!, texts, { signer, now: certifying.drafting.now, takeKey });
  for (const [index, { message }] of known.entries())
    await change.rows(sql`update rpki_message set answer = ${Buffer.from(signed[index]!)} where message_id = ${message.messageId}`);
  await change.rows(
    sql`delete from rpki_message where child_id = any(${works.answers.flatMap(({ message, child }) => (child ? [] : [message.childId]))}::bigint[])`,
  );
  if (known.length > 0) await change.rows(sql`select pg_notify('rpki_answer', '')`);
}
