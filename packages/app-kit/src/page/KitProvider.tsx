import { DateFormatSetting, LinkElement } from '@portal/ui';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AppLink } from './AppLink.tsx';
import { type Kit, KitContext } from './kit.ts';
import { useDateFormat } from '../settings/personal-settings.ts';
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
            <Dates>{children}</Dates>
          </LinkElement>
        </SessionContext>
      </QueryClientProvider>
    </KitContext>
  );
}

function Dates({ children }: { children: ReactNode }) {
  return <DateFormatSetting value={useDateFormat()}>{children}</DateFormatSetting>;
}
