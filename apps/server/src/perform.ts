import type { Endpoint } from '@portal/contract';
import { waitsForTexts } from '@portal/contract/legal/waiting-calls';
import { stoppedBy } from '@portal/contract/restraints/stopped-calls';
import { refuseUnaccepted } from './modules/legal/index.ts';
import { refuseRestrainedChange } from './modules/restraints/index.ts';
import type { Change } from './platform/database/index.ts';
import { featureRefusal } from './platform/features.ts';
import type { AdmittedAccount, Caller } from './platform/http/caller.ts';
import type { ModuleContext, RouteContext } from './platform/module.ts';
import { registryNow } from './platform/registry.ts';

type Calls = {
  endpoints: ReadonlyMap<string, Endpoint>;
  handlers: ReadonlyMap<string, (call: object) => Promise<unknown>>;
};

/** Returns what carries out a call of another module within a change. What a second person lets happen waits for legal texts and features, and stops with a hold or a restriction of the account, like what one person does alone. */
export const openPerform =
  (context: ModuleContext, { endpoints, handlers }: Calls): RouteContext['perform'] =>
  async (endpointId, call) => {
    const { change, caller, account } = call as { change: Change; caller: Caller; account?: AdmittedAccount };
    const endpoint = endpoints.get(endpointId)!;
    const refusal = endpoint.flag ? await featureRefusal(change, endpoint.flag, account?.accountName ?? null, context.config) : null;
    if (refusal) throw refusal;
    if (account && waitsForTexts(endpoint)) {
      const { accountName } = account;
      await refuseUnaccepted(change, { loginId: caller.loginId, accountName, now: context.clock(), profile: context.profile });
    }
    const by = account ? stoppedBy(endpoint) : null;
    if (account && by) await refuseRestrainedChange(change, { accountName: account.accountName, by, profile: context.profile });
    return handlers.get(endpointId)!({ ...call, registry: registryNow(context) });
  };
