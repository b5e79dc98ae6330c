import { FailureBanner, Page, PageSkeleton, type ServiceFailure, useKit, usePlace } from '@portal/app-kit';
import { findPage } from '@portal/contract/pages';
import { EmptyState, LinkButton, Sheet } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/**
 * The page behind a link in a mail: shows what `read` finds for the token in the address. Otherwise it explains that the link is unknown and how to
 * get a working one, or what went wrong.
 */
export function MailedLink<Found>({
  title,
  param,
  read,
  unknown,
  children,
}: {
  title: string;
  /** Name of the token's parameter. */
  param: string;
  read: (token: string) => UseQueryOptions<Found, ServiceFailure>;
  /** Error code of an unknown link, the title of what is missing, and who can help with it. */
  unknown: { code: string; title: string; ask: string };
  children: (found: Found, token: string) => ReactNode;
}) {
  const { product } = useKit().environment;
  const token = findPage(usePlace().path, product).params[param] ?? '';
  const { data, error, refetch } = useQuery(read(token));
  if (data !== undefined && !error) return children(data, token);
  if (!error) return <PageSkeleton title={title} />;
  return (
    <Page title={title}>
      {error.code === unknown.code ? (
        <Sheet flush>
          <EmptyState title={unknown.title} action={<LinkButton href="/">Go to the start page</LinkButton>}>
            Open the complete link in your latest e-mail. Some mail programs cut long links. If it still leads here, ask {unknown.ask}.
          </EmptyState>
        </Sheet>
      ) : (
        <FailureBanner failure={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

/** Confirms that an offer in a mail is declined. */
export function DeclineDialog({
  what,
  open,
  busy,
  onAct,
  onClose,
  children,
}: {
  what: string;
  open: boolean;
  busy: boolean;
  onAct: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Decline ${what}`}
      act="Decline"
      kind="danger"
      keep="Go back"
      busy={busy}
      onAct={onAct}
    >
      {children}
    </ConfirmDialog>
  );
}
