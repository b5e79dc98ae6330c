import { findPage, pages } from '@portal/contract/pages';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { FrameMessage } from '../frame/frame-protocol.ts';
import type { Kit } from '../kit/kit.ts';
import type { Router } from '../kit/place.ts';
import { KitProvider } from '../page/KitProvider.tsx';
import { Page, PageFrame } from '../page/Page.tsx';
import type { PageViews } from '../page/page-views.ts';
import { refusedBy } from '../page/refusal.ts';
import type { Watched } from '../place/watched.ts';
import type { SessionMessage } from './frame-kit.ts';

type Props = {
  session: Watched<SessionMessage | null>;
  /** Returns the kit of the session's person. */
  kit: () => Kit | null;
  router: Router;
  views: PageViews;
  answers: QueryClient;
  send: (message: FrameMessage) => void;
  onDrawn: () => void;
};

/** The framed page at the place, once the shell has said who is signed in. */
export function EmbeddedApp({ session, kit: kitOf, router, views, answers, send, onDrawn }: Props) {
  const current = useSyncExternalStore(session.subscribe, session.get);
  const place = useSyncExternalStore(router.subscribe, router.place);
  const kit = kitOf();
  if (!current || !kit) return null;
  const { name, page } = findPage(place.path, current.environment.product);
  const view = views.elementOf(name);
  return (
    <KitProvider
      kit={kit}
      answers={answers}
      session={{ ...current, selectAccount: accountName => send({ type: 'select-account', accountName }) }}
    >
      <PageFrame page={page} key={`${name} ${current.account?.accountName}`}>
        <Drawn onDrawn={onDrawn} />
        {view ?? <Page title={pages.notFound.title} />}
      </PageFrame>
      {refusedBy(page, current) && <Drawn onDrawn={onDrawn} />}
    </KitProvider>
  );
}

/** In parallel with what it waits for. */
function Drawn({ onDrawn }: { onDrawn: () => void }) {
  useEffect(() => onDrawn(), [onDrawn]);
  return null;
}
