import { withRetries } from '@portal/ui/code/with-retries';
import type { QueryClient } from '@tanstack/react-query';
import { signedInHere } from '../auth/stored-user.ts';
import { type KeptAnswers, showsOnlyKept } from '../first/kept-answers.ts';
import type { Router } from '../kit/place.ts';
import type { Watched } from '../place/watched.ts';
import type { keepPicture as KeepPicture } from '../first/last-picture.ts';
import { dropPicture } from '../first/shown-picture.ts';
import type { SessionMessage } from './frame-kit.ts';

type Parts = { session: Watched<SessionMessage | null>; router: Router; answers: QueryClient };

/** Needed when the page is left, and not before. */
const pictures = withRetries(() => import('../first/last-picture.ts'));

/** Keeps answers and picture of the page for the next load of this tab, when it is left. @param kept null: nothing is kept */
export function keepWhenLeft(kept: KeptAnswers | null, { session, router, answers }: Parts) {
  let keepPicture: typeof KeepPicture = () => undefined;
  window.addEventListener('pagehide', () => {
    const now = session.get();
    if (!kept || !now || now.person.staff) return;
    const account = now.account?.accountName ?? null;
    kept.keep(now.person.userId, account);
    const { path, search } = router.place();
    // By the token, which is all that the next load has when it begins.
    const here = signedInHere(now.environment);
    if (here && showsOnlyKept(answers, account)) keepPicture('frame', path + search, here.userId, account);
    else dropPicture('frame');
  });
  return {
    /** Loads the code of pictures. */
    loadPictures(): void {
      if (!kept) return;
      void pictures().then(
        come => (keepPicture = come.keepPicture),
        () => undefined,
      );
    },
  };
}
