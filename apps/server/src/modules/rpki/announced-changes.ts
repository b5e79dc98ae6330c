import type { AnswerOf, BodyOf } from '@portal/contract';
import type { Aspa, rpkiAspas } from '@portal/contract/rpki/aspas';
import type { rpki } from '@portal/contract/rpki/rpki';
import { printAsNumber } from '@portal/number-resources';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { keptAspas, printAspa, removeAspa, saveAspa } from './aspas.ts';
import { announceAspa, announceEntries, rpkiPage, unexpected } from './change-notices.ts';
import { keptRoas, printRoa } from './roa-changes.ts';
import { changeRoas } from './roas.ts';

/** Changes ROAs, and announces what changed. @throws Failure as `changeRoas` does */
export async function changeRoasAnnounced(
  change: Change,
  account: AdmittedAccount,
  body: BodyOf<typeof rpki.changeRoas>,
): Promise<AnswerOf<typeof rpki.changeRoas>> {
  const before = await keptRoas(change, account.accountName);
  const gone = new Set(body.remove);
  const answer = await changeRoas(change, account, body);
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
export async function saveAspaAnnounced(change: Change, account: AdmittedAccount, body: BodyOf<typeof rpkiAspas.saveAspa>): Promise<Aspa> {
  const present = await keptAspas(change, account.accountName);
  const saved = await saveAspa(change, account, body);
  const before = present.find(({ customer }) => customer === saved.customer);
  // A comment is nothing that the world reads.
  if (before && printAspa(before) === printAspa(saved)) return saved;
  await announceAspa(change, account, {
    customer: printAsNumber(saved.customer),
    before: before ? printAspa(before) : null,
    after: printAspa(saved),
  });
  return saved;
}

/** Removes a provider authorisation, and announces that. @throws Failure as `removeAspa` does */
export async function removeAspaAnnounced(
  change: Change,
  account: AdmittedAccount,
  given: Parameters<typeof removeAspa>[2],
): Promise<void> {
  const before = (await keptAspas(change, account.accountName)).find(({ aspaId }) => aspaId === given.aspaId);
  await removeAspa(change, account, given);
  await announceAspa(change, account, { customer: printAsNumber(before!.customer), before: printAspa(before!), after: null });
}
