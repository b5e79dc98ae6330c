import { Page } from './Page.tsx';
import { linkKind } from '@portal/contract/link';
import type { Environment } from '@portal/contract/shell/shell';
import { Button, ButtonRow, CopyButton, KeyValueList, LinkButton, Mono, Sheet, Stack } from '@portal/ui';
import type { SignInProblem } from '../auth/sign-in-error.ts';
import { signInWords } from '../auth/sign-in-words.ts';

/**
 * A failed sign-in: what happened, what to do, and the next steps. It never redirects automatically, so there is no loop; after a second
 * failure within a minute the steps that need no sign-in come first.
 */
export default function SignInProblemPage({
  problem: { failure, traceId, repeated },
  environment: { supportUrl, profileUrl, contentSiteUrl, registryName },
  signedIn,
  onSignIn,
  onSignOut,
}: {
  problem: SignInProblem;
  environment: Pick<Environment, 'supportUrl' | 'profileUrl' | 'contentSiteUrl' | 'registryName'>;
  signedIn: boolean;
  onSignIn: () => void;
  onSignOut: () => void;
}) {
  const { title, happened, advice, first } = signInWords(failure);
  // Support inside the portal needs the sign-in that just failed.
  const support = signedIn || linkKind(supportUrl) !== 'in-app' ? supportUrl : contentSiteUrl;
  const leadsToSupport = repeated || first === 'support';
  const lead = first === 'enable-mfa' ? 'enable' : !leadsToSupport ? 'again' : support ? 'support' : 'start';
  const look = (way: string) => (way === lead ? { variant: 'primary' as const } : {});
  const ways = {
    enable: first === 'enable-mfa' && (
      <LinkButton key="enable" href={profileUrl} {...look('enable')}>
        Enable MFA
      </LinkButton>
    ),
    logOut: first === 'enable-mfa' && signedIn && (
      <Button key="logOut" onClick={onSignOut}>
        Log out
      </Button>
    ),
    again: (
      <Button key="again" onClick={onSignIn} {...look('again')}>
        Sign in again
      </Button>
    ),
    support: support && (
      <LinkButton key="support" href={support} {...look('support')}>
        {support === supportUrl ? 'Contact Support' : `Contact ${registryName}`}
      </LinkButton>
    ),
    start: (
      <LinkButton key="start" href={signedIn ? '/' : '/?guest'} {...look('start')}>
        {signedIn ? 'Go to the start page' : 'Start without signing in'}
      </LinkButton>
    ),
  };
  const facts = [
    ...(failure.code ? [{ key: 'Code', value: <Mono nowrap={false}>{failure.code}</Mono> }] : []),
    ...(failure.detail ? [{ key: 'Message', value: failure.detail }] : []),
    {
      key: 'Trace id',
      value: (
        <>
          <Mono nowrap={false}>{traceId}</Mono>{' '}
          <CopyButton text={traceId} label="Copy trace id">
            Copy trace id
          </CopyButton>
        </>
      ),
    },
  ];
  return (
    <Page title={title} sub={happened}>
      <Stack gap={16}>
        <Sheet title="How to fix it" role="alert">
          <Stack gap={16}>
            <p>
              {advice}
              {repeated && first !== 'enable-mfa' && ' It failed twice within a minute. Trying again immediately may fail again.'}
              {repeated && !support && ` ${registryName} can find this failure by its trace ID.`}
            </p>
            <ButtonRow>
              {leadsToSupport
                ? [ways.enable, ways.logOut, ways.support, ways.start, ways.again]
                : [ways.enable, ways.logOut, ways.again, ways.start, ways.support]}
            </ButtonRow>
          </Stack>
        </Sheet>
        <Sheet title="For Support">
          <KeyValueList align="left" items={facts} />
        </Sheet>
      </Stack>
    </Page>
  );
}
