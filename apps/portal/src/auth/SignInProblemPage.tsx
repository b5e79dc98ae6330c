import { Page } from '@portal/app-kit';
import { Banner, Button } from '@portal/ui';
import type { SignInProblem } from './sign-in-error.ts';

/** A sign-in that failed: what happened, what to do, and the way to try again. It never tries by itself, so there is no loop. */
export function SignInProblemPage({ problem: { title, advice, detail }, onSignIn }: { problem: SignInProblem; onSignIn: () => void }) {
  return (
    <Page title={title}>
      <Banner
        kind="error"
        actions={
          <Button variant="primary" onClick={onSignIn}>
            Sign in again
          </Button>
        }
      >
        {advice}
        <br />
        <span className="small muted mono">{detail}</span>
      </Banner>
    </Page>
  );
}
