import { billing } from '@portal/contract/billing/billing';
import { checkouts } from '@portal/contract/billing/checkouts';
import type { JointBilling } from '@portal/contract/billing/joint-billing';
import { privilegesNeedFactor, refusalIn } from '../../../platform/admission.ts';
import type { Read } from '../../../platform/database/index.ts';
import type { AdmittedAccount, Caller } from '../../../platform/http/caller.ts';
import type { Registry } from '../../../platform/registry.ts';
import { membershipsOf } from '../../accounts/index.ts';

export type JointAccounts = {
  seen: (AdmittedAccount & { orgName: string; mayPay: boolean })[];
  leftOut: JointBilling['leftOut'];
};

/** Returns the accounts of a person whose billing is shown, as `getBilling` shows it, and those whose billing isn't. */
export async function jointAccountsOf(
  read: Read,
  caller: Caller,
  { clock, config }: Pick<Registry, 'clock' | 'config'>,
): Promise<JointAccounts> {
  const admission = { clock, privilegesNeedFactor: privilegesNeedFactor(config) };
  const seen: JointAccounts['seen'] = [];
  const leftOut: JointAccounts['leftOut'] = [];
  for (const account of await membershipsOf(read, caller)) {
    const why = refusalIn(account, billing.getBilling, caller, admission);
    if (why === null) seen.push({ ...account, mayPay: refusalIn(account, checkouts.startCheckout, caller, admission) === null });
    else leftOut.push({ accountName: account.accountName, why: why === 'NO_PERMISSION' ? 'permission' : 'second-factor' });
  }
  return { seen, leftOut };
}
