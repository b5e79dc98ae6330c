import { useAccount, useAddress, useChange, useKit } from '@portal/app-kit';
import { whoisIrts } from '@portal/contract/whois/irts';
import { whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { formatCount } from '@portal/ui';
import { useState } from 'react';
import { hrefOfIrts } from './irt-words.ts';
import type { Target } from './IrtTarget.tsx';
import { wasRefused } from '@portal/contract/tasks/tasks';

/** References an irt in resources; returns to the list when done, and shows refused ones. */
export function useAttachIrt() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [failed, setFailed] = useState<readonly WhoisOutcome[]>([]);
  const change = useChange(whoisIrts.attachIrt, {
    refresh: [whois.listIrts, whois.listObjects, whois.getObject, whois.listVersions],
    showsErrors: true,
    onDone: ({ objects, outcomes }, { body }) => {
      const refused = (outcomes ?? []).filter(wasRefused);
      if (refused.length > 0) return setFailed(refused);
      notify({
        text:
          outcomes !== null
            ? `${body.irt} is set on ${formatCount(objects)} more ${objects === 1 ? 'resource' : 'resources'}.`
            : `${body.irt} is being set on ${formatCount(objects)} resources. See Tasks.`,
      });
      address.go(hrefOfIrts);
    },
  });
  const attach = (irt: string, target: Target) => {
    if (target.to === 'none') return address.go(hrefOfIrts);
    setFailed([]);
    change.mutate({ account, body: attachedTo(irt, target) });
  };
  return { attach, change, failed };
}

/** The body of the call that names an irt in the chosen resources. */
export const attachedTo = (irt: string, { to, keys }: Target) => ({
  irt,
  to: to === 'none' ? ('chosen' as const) : to,
  keys: [...keys].map(id => {
    const at = id.indexOf(' ');
    return { class: id.slice(0, at) as 'inetnum' | 'inet6num' | 'aut-num', key: id.slice(at + 1) };
  }),
});
