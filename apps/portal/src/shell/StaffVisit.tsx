import { reading, useMaybeSession } from '@portal/app-kit';
import { MINUTE_MS } from '@portal/contract/days';
import { staff } from '@portal/contract/staff/staff';
import { Banner, Button } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Portal } from '../portal.ts';

/** Shows that registry staff are visiting an account, until when, and ends the visit. Shown only during a visit. */
export function StaffVisit({ portal }: { portal: Portal }) {
  const session = useMaybeSession();
  const { data } = useQuery({ ...reading(portal.call, staff.getVisit, {}), staleTime: Infinity });
  const accountName = session?.account?.accountName ?? '';
  const until = data?.visit?.until;
  const [left, setLeft] = useState(() => minutesTo(until));
  const [ending, setEnding] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      const minutes = minutesTo(until);
      setLeft(minutes);
      if (minutes <= 0) leave(accountName);
    }, 1000);
    return () => clearInterval(timer);
  }, [until, accountName]);
  const end = async () => {
    setEnding(true);
    const answer = await portal.call(staff.endVisit, {});
    if (!answer.errors) return leave(accountName);
    setEnding(false);
    portal.errors.show(answer.errors);
  };
  return (
    <div style={{ marginBottom: 16 }}>
      <Banner
        kind="warning"
        title={`You’re viewing ${accountName} read-only.`}
        actions={
          <Button size="s" busy={ending} onClick={() => void end()}>
            Stop viewing
          </Button>
        }
      >
        This is logged for the member and ends in {left <= 1 ? 'less than a minute' : `${left} minutes`}.
      </Banner>
    </div>
  );
}

const minutesTo = (until: string | undefined): number =>
  until === undefined ? 30 : Math.ceil((Date.parse(until) - Date.now()) / MINUTE_MS);

/** Back to the desk, which is a separate document, so nothing read during the visit is kept. */
const leave = (accountName: string): void => window.location.replace(`/desk/accounts/${encodeURIComponent(accountName)}`);
