import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import { findDue } from '../authorities/due-authorities.ts';
import { bringBackFutureRollovers } from '../authorities/keys.ts';
import type { ChildCertificateChange } from '../children/child-certificates.ts';
import type { WaitingMessage } from '../children/child-messages.ts';
import { finishChildren, planChildren } from '../children/child-works.ts';
import { childCertificateUri } from '../drafts.ts';
import { noticeLostRoas } from '../lost-roas.ts';
import { publishedAccounts } from '../suspensions.ts';
import { printRoa } from '../roa-changes.ts';
import { as0Work } from './as0-work.ts';
import { type Desk, type Publication, removeFile, revokeFile, type Tools, uriOf, type Work } from './authority-work.ts';
import { startValidation, storeSignedChecklists } from './validation.ts';
import { memberWorks } from './member-works.ts';
import { draftRenewals } from './reconcile-objects.ts';
import { rootWorks } from './root-works.ts';
import { sign } from './signing.ts';
import { store } from './storing.ts';

export type { Publication } from './authority-work.ts';

/**
 * Synchronises the repository with members' wishes and the ledger: everything changed, and everything that would expire soon. New and removed files,
 * revocations, CRLs, manifests and the RRDP serial are one transaction on one snapshot. It is rolled back if a relying party would refuse any of it.
 * Returns null if no file changed. @param messages of self-hosted authorities, already read @param setAside accounts whose files stay unchanged
 * @throws OutOfKeys when more one-time keys are needed than are at hand
 */
export async function publishIn(
  change: Change,
  tools: Tools,
  messages: readonly WaitingMessage[],
  setAside: ReadonlySet<string>,
): Promise<Publication | null> {
  const now = new Date(Math.floor(Date.parse(change.now) / 1000) * 1000);
  const due = await findDue(change, now, tools.as0, setAside);
  await bringBackFutureRollovers(change, now);
  const desk: Desk = { ...tools, change, now, drafting: { places: tools.places, now }, works: [], removed: new Map(), lost: new Map() };
  const { registry } = await rootWorks(desk);
  const published = await publishedAccounts(change, due.accountNames, tools.suspension, now);
  await memberWorks(desk, due, { registry, published });
  await as0Work(desk);
  await draftRenewals(desk);
  const certifying = { issuer: registry.key, issuerUri: uriOf(registry, desk.places), drafting: desk.drafting };
  const children = await planChildren(change, due, { ...certifying, signer: desk.signer, read: messages, suspension: tools.suspension });
  certifyChildren(desk, registry, children.certificates);
  await change.rows(sql`delete from rpki_due where due_id = any(${due.dueIds}::bigint[])`);

  const signed = await sign(desk);
  const products = signed.filter(({ product }) => product.kind !== 'checklist').map(({ product }) => product);
  const finish = (): Promise<void> => {
    const made = new Map(products.map(product => [product.uri, product]));
    const own = made.get(certifying.issuerUri);
    const issuer = { bytes: own?.content ?? registry.row.certificate!, notAfter: own?.notAfter ?? new Date(registry.row.notAfter!) };
    return finishChildren(change, children, { products: made, issuer, certifying, signer: desk.signer, takeKey: desk.oneTimeKeys.take });
  };
  if (signed.length + desk.removed.size + children.files.length === 0) {
    await finish();
    return null;
  }
  const finishValidation = await startValidation(desk, products);
  await storeSignedChecklists(
    desk,
    signed.filter(({ product }) => product.kind === 'checklist'),
    products,
  );
  if (products.length + desk.removed.size + children.files.length === 0) {
    await finishValidation();
    await finish();
    return null;
  }
  for (const [accountName, roas] of desk.lost) await change.enqueue(noticeLostRoas, { accountName, roas: roas.map(printRoa) });
  const stored = await store(desk, products, children.files);
  await finish();
  // Everything stored so far is rolled back if a relying party would refuse any of it.
  await finishValidation();
  return { ...stored, lost: desk.lost };
}

/** Issues or revokes certificates of self-hosted authorities. */
function certifyChildren(desk: Desk, registry: Work, changes: readonly ChildCertificateChange[]): void {
  for (const { key, draft } of changes) {
    const present = registry.files.get(childCertificateUri(key, registry.key, desk.places));
    revokeFile(registry, present);
    if (draft) {
      registry.drafts.push(draft);
      registry.isTouched = true;
    } else removeFile(desk, registry, present);
  }
}
