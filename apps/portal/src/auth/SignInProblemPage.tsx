import { Page } from '@portal/app-kit';
import { linkKind } from '@portal/contract/link';
import type { Environment } from '@portal/contract/shell';
import { Button, ButtonRow, CopyButton, KeyValueList, LinkButton, Mono, Sheet, Stack } from '@portal/ui';
import type { SignInProblem } from '../portal.ts';
import { signInWords } from './sign-in-words.ts';

/**
 * A sign-in that failed: what happened, what to do, and the ways on. It leads nowhere by itself, so there is no loop; after a second
 * failure within a minute the ways that need no sign-in come first.
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
  // Support inside the portal is behind the very door that did not open.
  const support = signedIn || linkKind(supportUrl) === 'page' ? supportUrl : contentSiteUrl;
  const askSupport = support && (
    <LinkButton key="support" href={support} {...(repeated && { variant: 'primary' as const })}>
      {support === supportUrl ? 'Contact Support' : `Contact ${registryName}`}
    </LinkButton>
  );
  const again = (
    <Button key="again" onClick={onSignIn} {...(!repeated && first !== 'enable-mfa' && { variant: 'primary' as const })}>
      Sign in again
    </Button>
  );
  const start = (
    <LinkButton key="start" href={signedIn ? '/' : '/?guest'} {...(repeated && !support && { variant: 'primary' as const })}>
      {signedIn ? 'Go to the start page' : 'Start without signing in'}
    </LinkButton>
  );
  const enable = first === 'enable-mfa' && (
    <LinkButton key="enable" href={profileUrl} variant="primary">
      Enable MFA
    </LinkButton>
  );
  const logOut = first === 'enable-mfa' && signedIn && (
    <Button key="out" onClick={onSignOut}>
      Log out
    </Button>
  );
  const facts = [
    ...(failure.code ? [{ key: 'Code', value: <Mono>{failure.code}</Mono> }] : []),
    ...(failure.detail ? [{ key: 'In the words of the sign-in service or the browser', value: failure.detail }] : []),
    {
      key: 'Trace id',
      value: (
        <>
          <Mono>{traceId}</Mono>{' '}
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
        <Sheet title="What to do" role="alert">
          <Stack gap={16}>
            <p>
              {advice}
              {repeated && first !== 'enable-mfa' && ' It failed twice within a minute: trying again at once may fail again.'}
              {repeated && !support && ` ${registryName} finds this failure by its trace id.`}
            </p>
            <ButtonRow>{repeated ? [askSupport, start, enable, logOut, again] : [enable, logOut, again, start, askSupport]}</ButtonRow>
          </Stack>
        </Sheet>
        <Sheet title="For Support">
          <KeyValueList align="left" items={facts} />
        </Sheet>
      </Stack>
    </Page>
  );
}
