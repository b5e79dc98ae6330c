import { reading, useAccount, useKit } from '@portal/app-kit';
import { SECOND_MS } from '@portal/contract/days';
import { presenceBeatSeconds, whoisPresence } from '@portal/contract/whois/presence';
import type { WhoisClass } from '@portal/contract/whois/whois';
import { Badge } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import styles from './Presence.module.css';

/** Colleagues who have the same object open in the editor. Reports its own presence while it is on a visible screen, and when it leaves. */
export function Presence({ objectClass, objectKey }: { objectClass: WhoisClass; objectKey: string }) {
  const { accountName: account, asStaff } = useAccount();
  const { call } = useKit();
  const body = { class: objectClass, key: objectKey };
  // A hidden tab stops reporting, and expires; when visible again it reports immediately.
  const { data } = useQuery({
    ...reading(call, whoisPresence.reportPresence, { account, body }),
    refetchInterval: presenceBeatSeconds * SECOND_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
    retry: false,
    // Registry staff can't change anything during a visit, so they are not shown as editors.
    enabled: !asStaff,
  });
  useEffect(() => {
    if (asStaff) return;
    const leave = () => {
      void call(whoisPresence.reportPresence, { account, body: { class: objectClass, key: objectKey, leaves: 'yes' } });
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [call, account, asStaff, objectClass, objectKey]);
  const others = data?.others ?? [];
  return (
    <output className={styles.presence}>
      {others.length > 0 && (
        <Badge kind="warning" icon="user">
          {inWords(others)} {others.length === 1 ? 'is' : 'are'} also editing this object
        </Badge>
      )}
    </output>
  );
}

function inWords(names: readonly string[]): string {
  if (names.length > 3) return `${names.length} colleagues`;
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
