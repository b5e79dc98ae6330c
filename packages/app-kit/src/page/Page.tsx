import { type AnyEndpoint, ServiceFailure } from '@portal/api-client';
import { type ErrorItem, errorInWords, messages } from '@portal/contract';
import { findPage, pages, type SitePage } from '@portal/contract/pages';
import { Banner, Button, LinkButton, PageHead, SkeletonTiles } from '@portal/ui';
import { QueryErrorResetBoundary, useIsFetching } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { lastChange } from '../calls/last-change.ts';
import { NoAccount, useMaybeSession } from '../session/session.ts';
import { ErrorWords } from './ErrorWords.tsx';
import { useKit, usePlace } from '../kit/kit.ts';
import { optionalPart } from './later.tsx';
import { refusedBy } from './refusal.ts';
import { WhyNot } from './WhyNot.tsx';

/** Gives the document (and the frame around it) its title while it is on the screen. */
export function usePageTitle(title: string): void {
  const { setTitle } = useKit();
  useEffect(() => {
    setTitle(title);
  }, [setTitle, title]);
}

/** A page: its header and its content. Sets the title. */
export function Page({
  title,
  heading,
  sub,
  breadcrumb,
  actions,
  children,
}: {
  /** The title of the document. */
  title: string;
  /** Content of the header if it is not the title. */
  heading?: ReactNode;
  sub?: ReactNode;
  breadcrumb?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  usePageTitle(title);
  return (
    <>
      <PageHead title={heading ?? title} sub={sub} breadcrumb={breadcrumb} actions={actions} />
      {children}
      <ChangeAsApiCall />
    </>
  );
}

const AsApiCall = optionalPart(() => import('./AsApiCall.tsx'), 'AsApiCall');

/** The change that was just made on this page, as a call of the registry API. */
function ChangeAsApiCall() {
  const { path } = usePlace();
  const change = useSyncExternalStore(lastChange.subscribe, lastChange.get);
  return change?.page === path && (change.endpoint as { publicApi?: unknown }).publicApi ? <AsApiCall change={change} /> : null;
}

type FrameProps = { page: Pick<SitePage, 'title' | 'access' | 'flag'>; skeleton?: ReactNode; onRetry?: () => void; children: ReactNode };

/**
 * The frame of every page: the refusal if the person may not open it, the skeleton while it loads, and errors with
 * their trace id and a retry button. Give it a `key` that changes with the page.
 */
export function PageFrame({ page, skeleton, onRetry, children }: FrameProps) {
  const refusal = refusedBy(page, useMaybeSession());
  if (refusal) return <RefusedPage page={page} refusal={refusal} />;
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <PageBoundary title={page.title} onRetry={() => (onRetry?.(), reset())}>
          <Suspense fallback={skeleton ?? <PageSkeleton title={page.title} />}>{children}</Suspense>
        </PageBoundary>
      )}
    </QueryErrorResetBoundary>
  );
}

function RefusedPage({ page, refusal }: { page: FrameProps['page']; refusal: NonNullable<ReturnType<typeof refusedBy>> }) {
  return (
    <Page title={page.title}>
      <WhyNot refusal={refusal} title="You don’t have access to this page" />
    </Page>
  );
}

/** The page's head and empty sheets of the usual height. */
export function PageSkeleton({ title }: { title: string }) {
  usePageTitle(title);
  return (
    <>
      <PageHead title={title} />
      <SkeletonTiles label={`Loading ${title}`} />
    </>
  );
}

type BoundaryProps = { title: string; onRetry: () => void; children: ReactNode };

class PageBoundary extends Component<BoundaryProps, { failure: Error | null }> {
  override state: { failure: Error | null } = { failure: null };

  static getDerivedStateFromError(failure: Error) {
    return { failure };
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    const retry = () => {
      this.props.onRetry();
      this.setState({ failure: null });
    };
    return <FailedPage title={this.props.title} failure={failure} onRetry={retry} />;
  }
}

function FailedPage({ title, failure, onRetry }: { title: string; failure: Error; onRetry: () => void }) {
  if (failure instanceof NoAccount)
    return (
      <Page title={title}>
        <WhyNot
          refusal={{
            rule: 'no-account',
            sentence: 'This needs a member account, and you aren’t linked to one yet',
            permission: null,
          }}
        />
      </Page>
    );
  const isMissing = failure instanceof ServiceFailure && failure.status === 404;
  const errors: readonly ErrorItem[] =
    failure instanceof ServiceFailure ? failure.errors : [{ code: 'UNEXPECTED_ERROR', message: messages.unexpected, traceId: '' }];
  return (
    <Page title={title}>
      {errors.map(error => (
        <Banner
          key={error.code + error.traceId + (error.field ?? '')}
          kind="error"
          traceId={error.traceId}
          actions={
            isMissing ? (
              <PageAbove title={title} onLeave={onRetry} />
            ) : (
              <Button size="s" icon="refresh" onClick={onRetry}>
                Try again
              </Button>
            )
          }
        >
          <ErrorWords message={errorInWords(error)} />
        </Banner>
      ))}
    </Page>
  );
}

/** Leads on from what wasn’t found, which another try doesn’t find either: to the page without its query, the list of tickets, or home. */
function PageAbove({ title, onLeave }: { title: string; onLeave: () => void }) {
  const { environment } = useKit();
  const { path, search } = usePlace();
  const { name, params } = findPage(path, environment.product);
  const [href, label] = search
    ? [path, title]
    : name === 'ticket'
      ? [pages.tickets.path.replace('{queue}', params['queue']!), pages.tickets.title]
      : [pages.home.path, pages.home.title];
  return (
    <LinkButton size="s" href={href} onClick={onLeave}>
      {label}
    </LinkButton>
  );
}

/** True while any of these reads is running, for a discreet indicator. */
export const useReading = (endpoint: AnyEndpoint): boolean => useIsFetching({ queryKey: [endpoint.id] }) > 0;
