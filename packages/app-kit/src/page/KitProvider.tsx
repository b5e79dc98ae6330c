import { DateFormatSetting, LinkElement } from '@portal/ui';
import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { AppLink } from './AppLink.tsx';
import { type Kit, KitContext } from '../kit/kit.ts';
import { optionalPart } from './later.tsx';
import { useDateFormat } from '../settings/personal-settings.ts';
import { useForgottenAccounts } from '../calls/forgotten-accounts.ts';
import { type Session, SessionContext } from '../session/session.ts';

/** Provides everything that the pages of an application use. */
export function KitProvider({
  kit,
  answers,
  session,
  children,
}: {
  kit: Kit;
  answers: QueryClient;
  session: Session | null;
  children: ReactNode;
}) {
  return (
    <KitContext value={kit}>
      <QueryClientProvider client={answers}>
        <SessionContext value={session}>
          <LinkElement value={AppLink}>
            <Dates>
              {children}
              {session && <Returned kit={kit} userId={session.person.userId} />}
              {session && kit.question}
              {session && <SelectedAccount session={session} />}
            </Dates>
          </LinkElement>
        </SessionContext>
      </QueryClientProvider>
    </KitContext>
  );
}

/** The person's answers are those of one account. */
function SelectedAccount({ session }: { session: Session }) {
  useForgottenAccounts(useQueryClient(), session);
  return null;
}

const ReturnedCall = optionalPart(() => import('./ReturnedCall.tsx'), 'ReturnedCall');

function Returned({ kit: { returned }, userId }: { kit: Kit; userId: string }) {
  const call = useSyncExternalStore(returned.subscribe, returned.get);
  return call?.userId === userId && <ReturnedCall key={call.redirect} call={call} />;
}

function Dates({ children }: { children: ReactNode }) {
  return <DateFormatSetting value={useDateFormat()}>{children}</DateFormatSetting>;
}
